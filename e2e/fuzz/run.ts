import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { upStack, type StackInfo } from '@carillon/stack'
import { exitWithHelp } from '@carillon/stack/services'
import fc from 'fast-check'
import { makeSmallFiles } from './form.ts'
import { findProblems } from './find-problems.ts'
import { createKnownValues } from './known-values.ts'
import { readOptions } from './options.ts'
import { requestOf, type FuzzRequest } from './request.ts'
import { send } from './send.ts'

exitWithHelp(`pnpm fuzz [--requests N] [--seed N] [--only N] [--parallel N] [--stack NAME]
  sends random requests to a fresh stack and checks every answer
  --only   sends only the request with that number, to reproduce a problem that the same seed has found`)
const options = readOptions()
const answerMsMax = 1000
console.log(`seed ${options.seed}, ${options.requests} requests`)
const env = { CARILLON_REQUESTS_PER_MINUTE: '100000000' }
const stack = await upStack({ name: options.stack, fsync: false, env, report: (step) => console.log(`✔ ${step.name}`) })
const found = new Map<string, string[]>()
const statuses = new Map<number, number>()
const refused: string[] = []
const tally = { passed: 0, failed: 0 }
const slow: number[] = []
let slowestMs = 0

try {
  const known = await createKnownValues(stack.info)
  const requests = fc.sample(requestOf(known, await makeSmallFiles()), { seed: options.seed, numRuns: options.requests })
  // Making thousands of requests takes minutes, in which the server has closed its idle connections: time to notice that.
  await sleep(1000)
  const numbers = options.only === null ? requests.keys() : [options.only].values()
  const begunMs = performance.now()
  await Promise.all(Array.from({ length: options.parallel }, () => sendAll(numbers, requests)))
  const seconds = (performance.now() - begunMs) / 1000
  await repeatSlow(requests)
  console.log(`slowest answer: ${Math.round(slowestMs)} ms`)
  const missing = await missingTraces(stack.info)
  console.log(
    `${[...statuses.values()].reduce((sum, n) => sum + n, 0)} answers in ${seconds.toFixed(0)} s: ${formatCounts(statuses)}`,
  )
  if (missing > 0) addProblem('an error whose traceId is not in the log', `${missing} of ${refused.length}`)
} finally {
  await stack.stop()
}

if (tally.passed + tally.failed === 0) addProblem('no request was sent', `--requests ${options.requests}`)
for (const [what, where] of found) console.log(`✘ ${what}: ${where.length} times\n    ${where.slice(0, 3).join('\n    ')}`)
console.log(found.size === 0 ? '✔ every answer keeps the contract' : `${found.size} kinds of wrong answers; seed ${options.seed}`)
// A problem that belongs to no single request counts as one.
const failed = found.size === 0 ? 0 : Math.max(1, tally.failed)
console.log(`${tally.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function sendAll(numbers: Iterator<number>, requests: readonly FuzzRequest[]): Promise<void> {
  for (let next = numbers.next(); !next.done; next = numbers.next()) {
    const request = requests[next.value]
    if (!request) return
    const begunMs = performance.now()
    const answer = await send(stack.info, request)
    const tookMs = performance.now() - begunMs
    slowestMs = Math.max(slowestMs, tookMs)
    if (tookMs > answerMsMax) slow.push(next.value)
    if (typeof answer === 'string') {
      addProblem('no answer', describe(next.value, request, answer))
      tally.failed++
      continue
    }
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 400) refused.push(answer.headers.get('x-request-id') ?? '')
    const wrongs = findProblems(request, answer)
    for (const wrong of wrongs) addProblem(wrong, describe(next.value, request, answer.text))
    tally[wrongs.length === 0 ? 'passed' : 'failed']++
  }
}

/** No request may take long. One that did is sent again alone, up to ten times: it may only have waited for others on a busy machine. */
async function repeatSlow(requests: readonly FuzzRequest[]): Promise<void> {
  for (const number of slow) {
    const request = requests[number]
    if (!request) continue
    let tookMs = Infinity
    for (let n = 0; n < 10 && tookMs > answerMsMax; n++) {
      const begunMs = performance.now()
      await send(stack.info, request)
      tookMs = Math.min(tookMs, performance.now() - begunMs)
    }
    if (tookMs <= answerMsMax) continue
    addProblem(`an answer after more than ${answerMsMax} ms`, describe(number, request, `${Math.round(tookMs)} ms`))
    tally.failed++
  }
}

function addProblem(what: string, where: string): void {
  found.set(what, [...(found.get(what) ?? []), where])
}

function describe(number: number, { endpoint, path, query, sent, headers }: FuzzRequest, answer: string): string {
  const body = sent ? `${sent.what} ${sent.type} ${String(sent.body).slice(0, 200)}` : 'no body'
  return `#${number} ${endpoint.method} ${path.slice(0, 80)}?${query.slice(0, 120)} ${JSON.stringify(headers)} ${body} → ${answer.slice(0, 300)}`
}

/** The trace id of every error must be in the server's log. Returns how many are not. */
async function missingTraces({ dir }: StackInfo): Promise<number> {
  const log = await readFile(join(dir, 'logs', 'carillon-all.log'), 'utf8')
  const logged = new Set(log.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g))
  return refused.filter((traceId) => !logged.has(traceId)).length
}

function formatCounts(counts: ReadonlyMap<number, number>): string {
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')
}
