import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

// The checks alone take about three minutes. In CI other suites share the processors.
const RUN_BUDGET_MS = 900_000
const CHECK_TIMEOUT_MS = 75_000

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const hexId = () => randomBytes(12).toString('hex')
export const show = (value) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text
}

// ---- verdicts ---------------------------------------------------------------------------------------------------------

class Skip extends Error {}
class Mismatch extends Error {
  constructor(expected, got) {
    super(`expected ${expected} got ${show(got)}`)
    Object.assign(this, { expected, got: show(got) })
  }
}

export const skip = (reason) => {
  throw new Skip(reason)
}
/** A value from an earlier check. If it is missing, that check has already failed, so this one is only skipped. */
export const need = (value, reason) => value ?? skip(reason)
export const expect = (condition, expected, got) => {
  if (!condition) throw new Mismatch(expected, got)
}
export const equal = (got, expected) => expect(isDeepStrictEqual(got, expected), show(expected), got)
export const same = isDeepStrictEqual

/**
 * A table of checks; the first entry of each row goes into the names of its checks.
 *
 * @param {[string, ...any[]][]} table
 */
export const cases = (table) => table

export function createReport({ json }) {
  const checks = []
  const startedAt = Date.now()
  let section = ''
  const timeLeft = () => RUN_BUDGET_MS - (Date.now() - startedAt)

  function record(entry) {
    checks.push({ section, ...entry })
    if (json) return
    const tail = { ok: '', fail: ` expected ${entry.expected} got ${entry.got}`, skip: ` ${entry.reason}` }[entry.result]
    console.log(`${entry.result === 'fail' ? 'FAIL' : entry.result.padEnd(4)} ${entry.kind} ${entry.id}${tail && ' —'}${tail}`)
  }

  /** Runs one check and returns what it returned; undefined when it failed or was skipped. */
  const run =
    (kind) =>
    async (id, body, { budget = true, timeoutMs = CHECK_TIMEOUT_MS } = {}) => {
      try {
        if (budget && timeLeft() < 0) skip('the time budget of the run is used up')
        let timer
        const late = new Promise((_, reject) => {
          timer = setTimeout(() => reject(new Mismatch(`an end within ${timeoutMs / 1000} s`, 'no end')), timeoutMs)
        })
        const value = await Promise.race([Promise.resolve().then(body), late]).finally(() => clearTimeout(timer))
        record({ kind, id, result: 'ok' })
        return value
      } catch (error) {
        if (error instanceof Skip) record({ kind, id, result: 'skip', reason: error.message })
        else
          record({
            kind,
            id,
            result: 'fail',
            expected: error.expected ?? 'no exception',
            got: error.got ?? show(String(error.stack)),
          })
        return undefined
      }
    }

  const count = (result) => checks.filter((check) => check.result === result).length
  return {
    checks,
    timeLeft,
    I: run('I'),
    D: run('D'),
    enter(name) {
      section = name
      if (!json) console.log(`\n# ${name}`)
    },
    finish() {
      const totals = {
        passed: count('ok'),
        failed: count('fail'),
        skipped: count('skip'),
        seconds: Math.round((Date.now() - startedAt) / 1000),
      }
      const failedOf = (kind) => checks.filter((check) => check.result === 'fail' && check.kind === kind).length
      if (json)
        console.log(JSON.stringify({ ...totals, failedInterface: failedOf('I'), failedDecision: failedOf('D'), checks }, null, 1))
      else {
        if (totals.failed)
          console.log(`\nfailures: ${failedOf('I')} interface (I), ${failedOf('D')} decision (D); ${totals.seconds} s`)
        console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
      }
      return totals
    },
  }
}

// ---- value types ------------------------------------------------------------------------------------------------------

const type = (name, test) => ({ name, test })
const pattern = (name, regex) => type(name, (value) => typeof value === 'string' && regex.test(value))
export const is = {
  string: type('string', (value) => typeof value === 'string'),
  text: type('non-empty string', (value) => typeof value === 'string' && value.length > 0),
  integer: type('integer', Number.isInteger),
  number: type('number', Number.isFinite),
  boolean: type('boolean', (value) => typeof value === 'boolean'),
  object: type('object', (value) => value !== null && typeof value === 'object' && !Array.isArray(value)),
  uuid: pattern('UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  uuid7: pattern('UUID v7', /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i),
  hex24: pattern('24 hex characters', /^[0-9a-f]{24}$/i),
  time: type(
    'ISO-8601 timestamp',
    (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value)),
  ),
  date: pattern('YYYY-MM-DD', /^\d{4}-\d\d-\d\d$/),
  httpUrl: pattern('absolute URL', /^https?:\/\/[^/]+/),
  platform: pattern('lowercase platform name', /^[a-z][a-z0-9_-]*$/),
  nothing: type('null', (value) => value === null),
  true: type('true', (value) => value === true),
  any: type('present', () => true),
  oneOf: (...values) => type(`one of ${values.join(' | ')}`, (value) => values.includes(value)),
  orNull: (inner) => type(`${inner.name} or null`, (value) => value === null || inner.test(value)),
  /** A field that may be left out. */
  maybe: (inner) => ({ ...type(`${inner.name} or absent`, (value) => value === undefined || inner.test(value)), optional: true }),
  arrayOf: (inner) => type(`array of ${inner.name}`, (value) => Array.isArray(value) && value.every(inner.test)),
}

/** One check per field: present and of the stated type. */
export async function fields(check, label, record, shape) {
  for (const [name, wanted] of Object.entries(shape)) {
    await check(`${label} field ${name}`, () => {
      const object = need(record, 'the record was not returned')
      expect(wanted.optional || name in object, `${name}: ${wanted.name}`, Object.keys(object))
      expect(wanted.test(object[name]), `${name}: ${wanted.name}`, object[name])
    })
  }
}

// ---- verdicts about responses ------------------------------------------------------------------------------------------

const outline = (response) =>
  `${response.status} ${response.error?.code ?? ''} ${response.error?.message ?? ''} on ${response.where}`
export function succeeded(response, status) {
  expect(status ? response.status === status : response.ok, status ?? '2xx', outline(response))
  return response.data
}
/** The request itself was rejected: not because of a missing route, missing credentials or a crash. */
export function refused(response) {
  expect(
    response.status >= 400 && response.status < 500 && ![401, 404, 405, 429].includes(response.status),
    'a 4xx refusal of the request',
    outline(response),
  )
}
export function answers(response, status, code) {
  const statuses = [status].flat()
  expect(statuses.includes(response.status), `${statuses.join(' or ')} ${code ?? ''}`.trim(), outline(response))
  if (code) equal(response.error?.code, code)
}
/** 422 with a detail whose path mentions the field. */
export function names(response, path) {
  answers(response, 422)
  const paths = (response.error?.details ?? []).map((detail) => detail.path)
  expect(
    paths.some((entry) => String(entry).includes(path)),
    `422 with details naming ${path}`,
    paths,
  )
}

/** Reads a list whose wrapper the interface does not show: an array, or one in results, data or items. */
export const rows = (data) => [data, data?.results, data?.data, data?.items].find(Array.isArray)
/** Reads a number from a bulk answer, which is a count or a list. */
export const amount = (value) => (Array.isArray(value) ? value.length : value)

export async function until(read, accept, { timeoutMs = 30_000, everyMs = 250 } = {}) {
  const end = Date.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (accept(value) || Date.now() > end) return value
    await sleep(everyMs)
  }
}
