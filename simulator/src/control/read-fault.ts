import { isFields, listOf, numberOf, type Fields } from '../http/fields.ts'
import type { Headers } from '../http/reply.ts'
import type { Fault, Outage, PlainFault } from '../state/faults.ts'

/** Returns undefined if the fields do not describe a known fault. `simulatedMs` is the time of the platforms' clock. */
export function readFault(fields: Fields, simulatedMs: number): Fault | undefined {
  if (fields['kind'] === 'outage') return readOutage(fields, simulatedMs)
  if (fields['kind'] !== 'random') return readPlainFault(fields)
  const faults = listOf(fields['faults']).map((one) => (isFields(one) ? readPlainFault(one) : undefined))
  const known = faults.filter((fault) => fault !== undefined)
  const probability = numberOf(fields['probability'])
  if (known.length === 0 || known.length < faults.length || probability === undefined) return undefined
  return { kind: 'random', seed: numberOf(fields['seed']) ?? 1, probability, faults: known }
}

function readPlainFault(fields: Fields): PlainFault | undefined {
  const { kind } = fields
  if (kind === 'status') return readStatus(fields)
  if (kind === 'drop_before' || kind === 'drop_after' || kind === 'expired_token' || kind === 'malformed') return { kind }
  if (kind === 'garbage' || kind === 'hang') return { kind, commit: fields['commit'] === true }
  if (kind === 'delay') {
    const ms = numberOf(fields['ms'])
    return ms === undefined ? undefined : { kind, ms, when: fields['when'] === 'before' ? 'before' : 'after' }
  }
  if (kind === 'slow_body') {
    const bytesPerSecond = numberOf(fields['bytesPerSecond'])
    return bytesPerSecond === undefined || bytesPerSecond <= 0 ? undefined : { kind, bytesPerSecond }
  }
  if (kind === 'huge_body') {
    const bytes = numberOf(fields['bytes'])
    return bytes === undefined ? undefined : { kind, bytes }
  }
  return undefined
}

/** The moments are `fromMs` and `untilMs`, or `inMs` and `forMs` counted from now. Without an end it lasts until the fault is removed. */
function readOutage(fields: Fields, simulatedMs: number): Outage | undefined {
  const clock = fields['clock'] ?? 'simulated'
  if (clock !== 'simulated' && clock !== 'real') return undefined
  const nowMs = clock === 'real' ? Date.now() : simulatedMs
  const fromMs = numberOf(fields['fromMs']) ?? nowMs + (numberOf(fields['inMs']) ?? 0)
  const untilMs = numberOf(fields['untilMs']) ?? fromMs + (numberOf(fields['forMs']) ?? Infinity)
  const wait = fields['retryAfterSeconds'] === 'remaining' ? 'remaining' : numberOf(fields['retryAfterSeconds'])
  const isEndless = !Number.isFinite(untilMs)
  if (untilMs <= fromMs || (isEndless && wait === 'remaining')) return undefined
  return { kind: 'outage', fromMs, untilMs, clock, ...(wait === undefined ? {} : { retryAfterSeconds: wait }) }
}

function readStatus(fields: Fields): PlainFault | undefined {
  const status = numberOf(fields['status'])
  if (status === undefined || status < 200 || status > 599) return undefined
  const retryAfterSeconds = numberOf(fields['retryAfterSeconds'])
  const headers: Headers = {}
  if (isFields(fields['headers']))
    for (const [name, value] of Object.entries(fields['headers'])) headers[name.toLowerCase()] = String(value)
  return {
    kind: 'status',
    status,
    headers,
    commit: fields['commit'] === true,
    ...(fields['body'] === undefined ? {} : { body: fields['body'] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}
