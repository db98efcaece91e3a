import { beforeAll, expect, test } from 'vitest'
import type { ViolationKind } from '../chaos/judge/violation.ts'
import { recordDrill } from '../support/record-drill.ts'
import type { Phase } from './lateness.ts'
import { preparePreviousRelease, type PreviousRelease } from './prepare-previous-release.ts'
import { runDrill, type DrillResult } from './run-drill.ts'

// Guarantee T31: two releases run side by side. While every process is replaced, forwards and back, posts go out once and on time.

/** On a machine that is busy with other things too, the bound is multiplied as in the chaos runs. The record has both figures. */
const latenessGoalMs = 5_000
/** Three minutes on a machine that does nothing else. If the time ran out, processes would be left behind. */
const drillMsMax = 3_600_000
const falseKinds: readonly ViolationKind[] = ['mismatch', 'missing']

let old: PreviousRelease
let result: DrillResult

const count = (...kinds: ViolationKind[]) => result.violations.filter(({ kind }) => kinds.includes(kind)).length

beforeAll(async () => {
  const beganMs = Date.now()
  old = await preparePreviousRelease()
  console.log(`upgrading from ${old.label}, and going back to it`)
  result = await runDrill(old)
  const { sent, calls, lateness, requests, failures, events, crashed, stops, migrations, phases, slowness } = result
  const figures = {
    from: old.label,
    isOtherCode: old.isOtherCode,
    migrations,
    posts: sent.length,
    channels: sent.reduce((sum, { accounts }) => sum + accounts.length, 0),
    calls,
    lost: count('lost'),
    doubled: count('doubled'),
    false: count(...falseKinds),
    wrongEvents: count('event'),
    events,
    lateness,
    isWithinGoal: lateness.inDeploys.p99Ms <= latenessGoalMs,
    slowness: Math.round(slowness * 10) / 10,
    requests: { ...requests, failed: failures.length },
    crashed: crashed.length,
    sendsAtStops: stops.map(({ sends }) => sends),
    deploySeconds: phases
      .filter(({ isDeploy }) => isDeploy)
      .map(({ fromMs, untilMs }) => Math.round((untilMs - fromMs) / 100) / 10),
  }
  await recordDrill('upgrade', beganMs, { isPassed: findFaults(result).length === 0, ...figures })
  console.log(JSON.stringify(figures, null, 2))
}, drillMsMax)

/** Everything that must not be, as the tests below say one by one. */
function findFaults({ violations, failures, crashed, badSignatures, lateness, slowness, stranger }: DrillResult): string[] {
  return [
    ...violations.map(({ kind, text, detail }) => `${kind}: "${text}" ${detail}`),
    ...failures,
    ...crashed.map((name) => `${name} ended by itself`),
    ...(stranger.sentBefore === 0 && stranger.sentAfter === 1 ? [] : ['the post for a platform of the new release']),
    ...(badSignatures > 0 ? [`${badSignatures} wrong signatures`] : []),
    ...(lateness.inDeploys.p99Ms > latenessGoalMs * slowness ? [`p99 lateness ${lateness.inDeploys.p99Ms} ms`] : []),
  ]
}

const ofKind = (...kinds: ViolationKind[]) =>
  result.violations.filter(({ kind }) => kinds.includes(kind)).map(({ text, detail }) => `"${text}" ${detail}`)

test('there was traffic in every phase', () => {
  const dueIn = ({ fromMs, untilMs }: Phase) => result.sent.filter(({ dueMs }) => dueMs >= fromMs && dueMs < untilMs).length
  expect(result.phases.filter((phase) => dueIn(phase) < 10).map(({ name }) => name)).toEqual([])
})

test('sends were in progress when workers were stopped', () => {
  for (const { sends } of result.stops) expect(sends).toBeGreaterThan(0)
})

test('0 lost, 0 doubled, 0 false states', () => {
  expect({ lost: ofKind('lost'), doubled: ofKind('doubled'), false: ofKind(...falseKinds) }).toEqual({
    lost: [],
    doubled: [],
    false: [],
  })
})

test('every event was delivered, signed, and none too often', () => {
  expect(ofKind('event')).toEqual([])
  expect(result.badSignatures).toBe(0)
})

test('no request failed that the client’s own retries did not solve', () => {
  expect(result.failures).toEqual([])
})

test('no process ended by itself', () => {
  expect(result.crashed).toEqual([])
})

test('new work goes to the release that was started last, and a drained one is removed from the engine', () => {
  const { addresses, workerUrls } = result
  expect(addresses.afterForwards).toEqual([{ url: workerUrls.new, isCurrent: true, openRuns: expect.any(Number) }])
  expect(addresses.atEnd).toContainEqual({ url: workerUrls.old, isCurrent: true, openRuns: expect.any(Number) })
  // Drained, or removed since.
  const left = addresses.atEnd.filter(({ url }) => url === workerUrls.new)
  expect(left.filter(({ isCurrent, openRuns }) => isCurrent || openRuns > 0)).toEqual([])
})

test('p99 lateness while processes are replaced is at most 5 s', () => {
  expect(result.lateness.inDeploys.p99Ms).toBeLessThanOrEqual(latenessGoalMs * result.slowness)
})

test('a post for a platform that only the new release knows waits while the old one runs, and is sent once by the next', () => {
  const { dueMs, backMs, ...rest } = result.stranger
  expect(dueMs).toBeGreaterThan(backMs)
  expect(rest).toEqual({ sentBefore: 0, sentAfter: 1, status: 'completed' })
})

test('no other fault', () => {
  expect(findFaults(result)).toEqual([])
})
