import { setTimeout as sleep } from 'node:timers/promises'
import { isAtRest, type ApiPost } from './client/api-post.ts'
import { driveConnection, type PermissionChange } from './client/drive-connection.ts'
import { drivePost, sleepUntil } from './client/drive-post.ts'
import type { ExpectedPost } from './client/expected-post.ts'
import { listPosts, resolveUnconfirmed, retryFailed, textPrefix, waitUntilAtRest } from './client/seed-client.ts'
import { carryOutStackFault } from './faults/carry-out-stack-fault.ts'
import { calmFromMs, type Disturbance } from './faults/disturbance.ts'
import { injectPlatformFaults, type FaultCounts } from './faults/inject-platform-faults.ts'
import { isUnanswered } from './judge/can-be-unconfirmed.ts'
import { channelCases } from './judge/channel-case.ts'
import type { Findings } from './judge/findings.ts'
import { judgeChannels } from './judge/judge-channels.ts'
import type { ConnectionFacts } from './judge/judge-events.ts'
import type { Violation } from './judge/violation.ts'
import type { Plan } from './plan/plan.ts'
import type { PlannedPost } from './plan/plan-posts.ts'
import type { StackFault } from './plan/plan-stack-faults.ts'
import { isSameSlot } from './plan/slot.ts'
import { measureSlowness } from '../support/slowness.ts'
import type { AccountSet } from './stack/open-account-sets.ts'
import type { ChaosStack } from './stack/start-chaos-stack.ts'

/** A seed whose clients and faults of the stack are done. Its posts may still be being sent. */
export type SeedRun = {
  seed: number
  plan: Plan
  accounts: AccountSet
  expectedPosts: ExpectedPost[]
  permissionChanges: PermissionChange[]
  removeFaults: () => Promise<FaultCounts>
  /** Planned faults that could not be carried out, with the reason. */
  skipped: string[]
  violations: Violation[]
  beganMs: number
  /** How slow the machine was when the punctual posts were sent. It may be busier when they are judged. */
  calmSlowness: number
}

export type FinishedSeed = SeedRun & {
  faultCounts: FaultCounts
  findings: Findings
  connectionFacts: ConnectionFacts[]
  /** Channels that were unconfirmed before a person resolved them. */
  unconfirmed: number
  /** Those of them whose answer no process can have had. */
  unanswered: number
  finishedMs: number
}

/** By then every scheduled post has been due. */
const clientsMs = 6500
/** After the last fault the service gets this long before punctual posts are created: longer than the judge excuses most faults. */
const calmAfterMs = 11_000
const slownessForCalmMax = 2
/** A patient group waits longer than the judge excuses any fault, also if the machine becomes busier until it judges. */
const patience = 1.3
const patientMsMax = 150_000
const calmMs = 4000
/** Faults of platforms stay until every channel has been tried, up to the maximum. */
const faultsStayMs = 4000
const faultsStayMsMax = 12_000
/**
 * After this time a post counts as lost. A send whose engine run was lost is looked after five minutes later, and a platform that
 * recognises repeats is asked for some minutes more.
 */
const restWithinMs = 600_000
/** Where files are published by their upload, a call may take a quarter of an hour, after which it is asked about for as long again. */
const longRestWithinMs = 2_700_000
const slownessForRestMax = 2

/**
 * Carries out the plans of a few seeds at the same time: clients and faults together, then, when every part has been up for a while,
 * the punctual posts. The faults of the platforms stay. In most groups a fault of one seed still excuses all punctual posts, so some groups
 * are patient.
 */
export async function runGroup(
  stack: ChaosStack,
  group: readonly { plan: Plan; accounts: AccountSet }[],
  { isPatient }: { isPatient: boolean },
): Promise<SeedRun[]> {
  const runs = await Promise.all(group.map(({ plan, accounts }) => runSeed(stack, plan, accounts)))
  await sleep(calmAfterMs * Math.min(slownessForCalmMax, measureSlowness()))
  if (isPatient) {
    const waitMs = calmFromMs(stack.disturbances, patience * measureSlowness()) - Date.now()
    // A post is judged from two seconds before its time on.
    await sleep(Math.min(patientMsMax, Math.max(0, waitMs + 2500)))
  }
  const before = measureSlowness()
  await Promise.all([...runs.map((run) => runCalmPosts(stack, run)), sleep(calmMs)])
  const calmSlowness = Math.max(before, measureSlowness())
  return runs.map((run) => ({ ...run, calmSlowness }))
}

/** A seed before its punctual posts. */
type BegunSeed = Omit<SeedRun, 'calmSlowness'>

async function runSeed(stack: ChaosStack, plan: Plan, accounts: AccountSet): Promise<BegunSeed> {
  const { seed } = plan
  const permissionChanges = plan.connectionFaults.map((fault) => ({ ...fault, lostAtMs: null, regainedAtMs: null }))
  const expectedPosts = plan.posts.map((post) => expectedPost(plan, post))
  const removeFaults = await injectPlatformFaults(stack.simulator, accounts, plan.platformFaults)
  const beganMs = Date.now()
  const [violations, changes, skipped] = await Promise.all([
    driveAll(stack, { seed, accounts, expectedPosts, beganMs }),
    Promise.all(permissionChanges.map((change) => driveConnection(stack, accounts.of(change), change, beganMs))),
    Promise.all(plan.stackFaults.map((fault) => disturb(stack, seed, fault, beganMs))),
    sleep(clientsMs),
  ])
  return {
    seed,
    plan,
    accounts,
    expectedPosts,
    permissionChanges,
    removeFaults,
    skipped: skipped.filter((each) => each !== null),
    violations: [...violations, ...changes.flat()],
    beganMs,
  }
}

async function runCalmPosts(stack: ChaosStack, run: BegunSeed): Promise<void> {
  const expectedPosts = run.plan.calmPosts.map((post) => expectedPost(run.plan, post))
  run.expectedPosts.push(...expectedPosts)
  run.violations.push(...(await driveAll(stack, { ...run, expectedPosts, beganMs: Date.now() })))
}

type Driven = Pick<SeedRun, 'seed' | 'accounts' | 'expectedPosts' | 'beganMs'>

async function driveAll(stack: ChaosStack, { seed, accounts, expectedPosts, beganMs }: Driven): Promise<Violation[]> {
  const { apis, mediaIds } = stack
  const drive = (expected: ExpectedPost) =>
    drivePost({ api: apis[expected.workspace], accounts, mediaIds, beganMs, keyPrefix: textPrefix(seed) }, expected)
  return (await Promise.all(expectedPosts.map(drive))).flat()
}

export function expectedPost({ seed, connectionFaults, platformFaults }: Plan, post: PlannedPost): ExpectedPost {
  const loses = [
    ...connectionFaults.filter(({ reconnectAfterMs }) => reconnectAfterMs !== null),
    ...platformFaults.filter(({ kinds }) => kinds.includes('expired token')),
  ]
  return {
    plan: post,
    workspace: post.slots[0]?.workspace ?? 'eager',
    text: `${textPrefix(seed)}${post.twin ?? post.n} post`,
    thread: Array.from({ length: post.furtherPosts ?? 0 }, (_, at) => `${textPrefix(seed)}${post.n} further post ${at + 1}`),
    comment: post.hasComment ? `${textPrefix(seed)}${post.n} first comment` : null,
    connections: [],
    canBeRefused: post.slots.some((slot) => loses.some((fault) => isSameSlot(fault, slot))),
    requestId: null,
    intent: 'publish',
    earliestMs: 0,
    acceptedMs: 0,
    stoppedAtMs: null,
    wasScheduled: false,
    requests: { schedule: 0, publish: 0, retry: 0, resolve: 0 },
    log: [],
  }
}

/** Carries out a fault at its time and notes when it began and ended. */
async function disturb(stack: ChaosStack, seed: number, fault: StackFault, beganMs: number): Promise<string | null> {
  await sleepUntil(beganMs + fault.atMs)
  const { kind, target } = fault
  const disturbance: Disturbance = { seed, kind, target, fromMs: Date.now(), untilMs: 0 }
  stack.disturbances.push(disturbance)
  const reason = await carryOutStackFault(stack, seed, fault)
  disturbance.untilMs = Date.now()
  return reason === null ? null : `${kind}: ${reason}`
}

/** Waits until no post of the seed changes any more, retries and resolves where the plan says so, and judges. */
export async function finishSeed(stack: ChaosStack, run: SeedRun, judge = judgeChannels): Promise<FinishedSeed> {
  await waitUntilTried(stack, run)
  const faultCounts = await run.removeFaults()
  const facts = new Map<string, ConnectionFacts>()
  const quietMs = run.plan.reach === 'all' ? longRestWithinMs : restWithinMs
  const rest = () => waitUntilAtRest(stack, run, { facts, withinMs: quietMs * Math.min(slownessForRestMax, measureSlowness()) })
  await rest()
  // Unconfirmed channels are judged before a person resolves them.
  const before = await readFindings(stack, run, faultCounts)
  const doubts = judge(before).filter(({ kind }) => kind === 'unconfirmed')
  const unconfirmed = channelCases(before).filter(({ channel }) => channel?.status === 'unconfirmed')
  await resolveUnconfirmed(stack, run)
  if ((await retryFailed(stack, run)) > 0) await rest()
  const findings = await readFindings(stack, run, faultCounts)
  const violations = withoutRepeats([...run.violations, ...doubts, ...judge(findings)])
  const finishedMs = Date.now() - run.beganMs
  return {
    ...run,
    faultCounts,
    findings,
    violations,
    connectionFacts: [...facts.values()],
    unconfirmed: unconfirmed.length,
    unanswered: unconfirmed.filter(isUnanswered).length,
    finishedMs,
  }
}

export function withoutRepeats(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((each) => [`${each.kind} ${each.text} ${each.detail}`, each])).values()]
}

/** Reads what the API and the platforms show of a seed now. */
export async function readFindings(stack: ChaosStack, run: SeedRun, faultCounts: FaultCounts): Promise<Findings> {
  const { seed, accounts, expectedPosts, permissionChanges, calmSlowness } = run
  const posts = await listPosts(stack, seed)
  const submits = await stack.simulator.submits(textPrefix(seed))
  const accountCalls = await stack.simulator.calls()
  return {
    nowMs: stack.nowMs(),
    slowness: measureSlowness(),
    calmSlowness,
    expectedPosts,
    posts,
    submits,
    accounts,
    faultCounts,
    permissionChanges,
    disturbances: stack.disturbances,
    deaths: stack.supervisor.deaths,
    callers: stack.callers,
    accountCalls,
  }
}

async function waitUntilTried(stack: ChaosStack, { seed }: SeedRun): Promise<void> {
  const endMs = Date.now() + faultsStayMsMax
  await sleep(faultsStayMs)
  const isTried = (post: ApiPost) => isAtRest(post) || post.channels.every(({ attempts }) => attempts > 0)
  while (Date.now() < endMs && !(await listPosts(stack, seed)).every(isTried)) await sleep(500)
}
