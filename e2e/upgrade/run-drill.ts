import { setTimeout as sleep } from 'node:timers/promises'
import { createCarillon, type Carillon } from '@carillon/sdk'
import type { StackInfo } from '@carillon/stack'
import { waitUntil } from '@carillon/stack/services'
import { createApi } from '../chaos/client/api.ts'
import { isFinal, parsePost, type ApiPost } from '../chaos/client/api-post.ts'
import { judgeEvents } from '../chaos/judge/judge-events.ts'
import type { Violation } from '../chaos/judge/violation.ts'
import { createSimulatorControl, type SimulatorControl, type Submit } from '../chaos/stack/simulator-control.ts'
import { startEventReceiver, type EventReceiver } from '../chaos/stack/start-event-receiver.ts'
import { measureSlowness } from '../support/slowness.ts'
import { judgePosts } from './judge-posts.ts'
import { describeSlowest, latenessIn, type Lateness, type Phase } from './lateness.ts'
import { thisRelease, type Release } from './prepare-previous-release.ts'
import { startTraffic, textPrefix, type SentPost, type Traffic } from './start-traffic.ts'
import { apiCount, startUpgradeStack, type UpgradeStack, type WorkerAddress } from './start-upgrade-stack.ts'

export type DrillResult = {
  migrations: string[]
  phases: Phase[]
  sent: readonly SentPost[]
  calls: number
  violations: Violation[]
  failures: readonly string[]
  requests: Traffic['requests']
  events: number
  badSignatures: number
  crashed: string[]
  /** When each worker got its signal, and how many sends of the slow platform were then in progress, on it or on another worker. */
  stops: { atMs: number; sends: number }[]
  addresses: { afterForwards: WorkerAddress[]; atEnd: WorkerAddress[] }
  workerUrls: UpgradeStack['workerUrls']
  lateness: { inDeploys: Lateness; otherwise: Lateness }
  /** The post for a platform that the old release does not know, and how often it was sent before and after the second way forwards. */
  stranger: { dueMs: number; backMs: number; sentBefore: number; sentAfter: number; status: string }
  /** How much slower than usual the machine was, at its worst. */
  slowness: number
}

/** How long the service runs on one release: before, between and after the deploys. */
const quietMs = { before: 20_000, between: 20_000, after: 12_000 }
/** LinkedIn cannot be asked about a post. A send that is cut off there stays unconfirmed for good, so its sends take long enough for that. */
const slowPlatform = 'linkedin'
const slowSendMs = 6_000
const sendWithinMs = 30_000
/** A platform that the old release does not know. Its simulator takes posts at once. */
const strangePlatform = 'devto'
const strangeText = 'strange to the old release'
const removedWithinMs = 90_000
const finalWithinMs = 180_000
const eventsWithinMs = 180_000

/** Upgrades a stack under traffic and goes back again, each process after the other. Nothing is judged before the end. */
export async function runDrill(old: Release): Promise<DrillResult> {
  const stack = await startUpgradeStack(old)
  let receiver: EventReceiver | undefined
  try {
    await Promise.all([startAll(stack, old), prepareSimulator(stack)])
    receiver = await startEventReceiver(stack.info, apisOf(stack.info))
    return await runPhases(stack, old, receiver)
  } finally {
    receiver?.close()
    await stack.stop()
  }
}

async function runPhases(stack: UpgradeStack, old: Release, receiver: EventReceiver): Promise<DrillResult> {
  const [phases, crashed, stopsMs]: [Phase[], string[], number[]] = [[], [], []]
  const beganMs = Date.now()
  let slowness = measureSlowness()
  const phase = async (name: string, isDeploy: boolean, work: () => Promise<unknown>) => {
    const fromMs = Date.now()
    await work()
    const untilMs = Date.now()
    phases.push({ name, isDeploy, fromMs, untilMs })
    slowness = Math.max(slowness, measureSlowness())
    console.log(`✔ ${name} (from ${seconds(fromMs - beganMs)} to ${seconds(untilMs - beganMs)} s)`)
  }
  const traffic = await startTraffic(stack.info, stack.accounts)
  let migrated: unknown
  let afterForwards: WorkerAddress[] = []
  let strange = { uploadId: '', dueMs: 0 }
  try {
    await phase('old release', false, () => sleep(quietMs.before))
    await phase('forwards', true, async () => {
      migrated = await stack.migrate(thisRelease)
      stopsMs.push(...(await replaceAll(stack, old, thisRelease)))
    })
    crashed.push(...stack.findCrashed(thisRelease))
    await phase('new release', false, async () => {
      const removed = waitForRemoval(stack, stack.workerUrls.old)
      strange = await createStrangePost(stack, phases)
      await sleep(quietMs.between)
      afterForwards = await removed
    })
    await phase('back', true, async () => stopsMs.push(...(await replaceAll(stack, thisRelease, old))))
    crashed.push(...stack.findCrashed(old))
    await phase('old release again', false, () => sleep(Math.max(0, strange.dueMs - Date.now()) + quietMs.after))
  } finally {
    await traffic.stop()
  }
  crashed.push(...stack.findCrashed(old))
  const simulator = createSimulatorControl(stack.info.simulatorUrl)
  const sent = traffic.posts
  const posts = await waitForPosts(stack.info, sent)
  const eventViolations = await waitForEvents(sent, posts, receiver)
  const submits = await simulator.submits(textPrefix)
  const latenessOf = (isDeploy: boolean) =>
    latenessIn(
      phases.filter((each) => each.isDeploy === isDeploy),
      { sent, submits },
    )
  for (const line of describeSlowest({ sent, submits, beganMs })) console.log(line)
  const atEnd = await stack.workerAddresses()
  const backMs = phases.find(({ name }) => name === 'old release again')?.fromMs ?? 0
  return {
    migrations: (migrated as { applied: string[] }).applied,
    phases,
    sent,
    calls: submits.length,
    violations: [...judgePosts({ sent, posts, submits }), ...eventViolations],
    failures: traffic.failures,
    requests: traffic.requests,
    events: receiver.events.length,
    badSignatures: receiver.badSignatures,
    crashed,
    stops: stopsMs.map((atMs) => ({ atMs, sends: submits.filter((submit) => isInProgress(submit, atMs)).length })),
    addresses: { afterForwards, atEnd },
    workerUrls: stack.workerUrls,
    lateness: { inDeploys: latenessOf(true), otherwise: latenessOf(false) },
    slowness,
    stranger: { dueMs: strange.dueMs, backMs, ...(await goForwardsAgain(stack, old, strange.uploadId)) },
  }
}

/** A post that falls due when only the old release runs: as long after its end as the way forwards took, and more. */
async function createStrangePost(stack: UpgradeStack, phases: readonly Phase[]): Promise<{ uploadId: string; dueMs: number }> {
  const forwards = phases.find(({ name }) => name === 'forwards')
  const deployMs = forwards ? forwards.untilMs - forwards.fromMs : 0
  const dueMs = Date.now() + quietMs.between + 2 * deployMs + 15_000
  const connections = [await stack.connect(strangePlatform)]
  const scheduledAt = new Date(dueMs).toISOString()
  const { uploadId } = await clientOf(stack.info).content.createText({ text: strangeText, connections, scheduledAt })
  return { uploadId, dueMs }
}

/** The old release leaves the post alone, and the next one publishes it. */
async function goForwardsAgain(
  stack: UpgradeStack,
  old: Release,
  uploadId: string,
): Promise<{ sentBefore: number; sentAfter: number; status: string }> {
  const simulator = createSimulatorControl(stack.info.simulatorUrl)
  const count = async () => (await simulator.submits(strangeText)).length
  const sentBefore = await count()
  // The workers first: an API process is ready only when nothing is overdue that its release knows.
  for (let at = 0; at < stack.workersEach; at++) {
    await stack.startWorker(at, thisRelease)
    await stack.stopWorker(at, old)
  }
  for (let at = 0; at < apiCount; at++) await stack.replaceApi(at, thisRelease)
  const carillon = clientOf(stack.info)
  const read = async () => (await carillon.content.get(uploadId)).status
  await waitUntil(async () => (await read()) === 'completed', {
    what: 'the post that the old release did not know',
    withinMs: finalWithinMs,
    everyMs: 1000,
  }).catch(() => {})
  return { sentBefore, sentAfter: await count(), status: await read() }
}

function clientOf({ baseUrl, apiKey, workspaceId }: StackInfo): Carillon {
  return createCarillon({ baseUrl, apiKey, workspaceId })
}

/** All at once: an API process is ready only when a worker is. */
async function startAll(stack: UpgradeStack, release: Release): Promise<void> {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)
  const starts = [
    ...numbers(stack.workersEach).map((at) => stack.startWorker(at, release)),
    ...numbers(apiCount).map((at) => stack.replaceApi(at, release)),
  ]
  // All must have ended before a failure is thrown, or a process that is still starting would not be stopped.
  await Promise.allSettled(starts)
  await Promise.all(starts)
}

/**
 * Replaces every process, one after the other, as docs/guides/upgrades.md says, but without waiting until the old workers are idle: what they
 * have begun must end all the same. Returns when the workers were told to stop.
 */
async function replaceAll(stack: UpgradeStack, from: Release, to: Release): Promise<number[]> {
  for (let at = 0; at < apiCount; at++) await stack.replaceApi(at, to)
  const stopsMs: number[] = []
  for (let at = 0; at < stack.workersEach; at++) {
    await stack.startWorker(at, to)
    await waitForSend(stack)
    stopsMs.push(Date.now())
    await stack.stopWorker(at, from)
  }
  return stopsMs
}

/** Waits until a send on the slow platform has just begun: a worker that is stopped between sends shows nothing. */
async function waitForSend(stack: UpgradeStack): Promise<void> {
  const simulator = createSimulatorControl(stack.info.simulatorUrl)
  const endMs = Date.now() + sendWithinMs
  while (Date.now() < endMs) {
    const submits = await simulator.submits(textPrefix)
    if (submits.some((submit) => isInProgress(submit, Date.now()) && isInProgress(submit, Date.now() + slowSendMs / 2))) return
    await sleep(200)
  }
}

function isInProgress({ platform, atMs }: Submit, whenMs: number): boolean {
  return platform === slowPlatform && atMs < whenMs && atMs + slowSendMs > whenMs
}

async function waitForRemoval(stack: UpgradeStack, url: string): Promise<WorkerAddress[]> {
  const endMs = Date.now() + removedWithinMs
  for (;;) {
    const addresses = await stack.workerAddresses()
    if (Date.now() > endMs || addresses.every((address) => address.url !== url)) return addresses
    await sleep(3_000)
  }
}

/** No platform hides a repeated call, and none refuses one because of a limit. */
async function prepareSimulator({ info, accounts }: UpgradeStack): Promise<void> {
  const simulator: SimulatorControl = createSimulatorControl(info.simulatorUrl)
  await simulator.change({ rateLimits: false })
  for (const platform of ['x', 'linkedin']) await simulator.change({ platform, duplicateFilter: false })
  await simulator.change({ platform: 'threads', secondPublish: 'repeat' })
  for (const { platform, handle } of accounts.filter((account) => account.platform === slowPlatform))
    await simulator.addFault({ platform, handle, operation: 'submit', fault: { kind: 'delay', ms: slowSendMs, when: 'after' } })
}

/** The receiver wants two workspaces. Nothing happens in the second one. */
function apisOf(info: StackInfo) {
  const other = { baseUrl: info.baseUrl, apiKey: info.otherApiKey, workspaceId: info.otherWorkspaceId }
  return { eager: createApi(info), careful: createApi(other) }
}

async function waitForPosts(info: StackInfo, sent: readonly SentPost[]): Promise<ApiPost[]> {
  const carillon = clientOf(info)
  let posts: ApiPost[] = []
  const areFinal = async () => {
    posts = (await Array.fromAsync(carillon.content.iterate({ search: textPrefix }))).map(parsePost)
    return posts.length >= sent.length && posts.every(isFinal)
  }
  // A post that is not final by then is a violation, which the judge reports.
  await waitUntil(areFinal, { what: 'every post to be final', withinMs: finalWithinMs, everyMs: 1000 }).catch(() => {})
  return posts
}

async function waitForEvents(
  sent: readonly SentPost[],
  posts: readonly ApiPost[],
  receiver: EventReceiver,
): Promise<Violation[]> {
  const expectedPosts = sent.map(({ text, schedules }) => ({
    requestId: posts.find((post) => post.text === text)?.requestId ?? null,
    text,
    thread: [],
    intent: 'publish' as const,
    wasScheduled: schedules > 0,
    requests: { schedule: schedules, publish: schedules === 0 ? 1 : 0, retry: 0, resolve: 0 },
  }))
  const judge = () => judgeEvents({ expectedPosts, posts }, receiver.events)
  await waitUntil(() => judge().length === 0, { what: 'every event', withinMs: eventsWithinMs, everyMs: 1000 }).catch(() => {})
  return judge()
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
