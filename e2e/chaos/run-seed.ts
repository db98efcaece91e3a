import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountSet } from './account-sets.ts'
import type { Api } from './api.ts'
import { drivePost } from './drive-post.ts'
import { fieldsOf, listOf } from './json.ts'
import { makePlan, type Plan } from './plan.ts'
import { isAtRest, parsePost, type ApiPost } from './api-post.ts'
import { addLogLine, type ExpectedPost } from './expected-post.ts'
import { verify, type Findings } from './verify.ts'
import type { Violation } from './violation.ts'
import type { Outage } from './supervisor.ts'
import { injectFaults, type FaultCounts } from './inject-faults.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** A seed whose clients, faults and kills are done. Its posts may still be being sent. */
export type SeedRun = {
  plan: Plan
  accounts: AccountSet
  expectedPosts: ExpectedPost[]
  removeFaults: () => Promise<FaultCounts>
  outages: Outage[]
  violations: Violation[]
  beganMs: number
}

export type FinishedSeed = SeedRun & { faultCounts: FaultCounts; findings: Findings; finishedMs: number }

/** By then every scheduled post has been due. */
const clientsMs = 5500
/**
 * Faults stay this long after the kills, so that channels that waited for a restart meet them too. On a slow machine they stay until every
 * channel has been tried, up to the maximum.
 */
const faultsStayMs = 4000
const faultsStayMsMax = 12_000
/** After this time a post counts as stuck. The slowest repair, that of a send whose engine run was lost, begins after two minutes. */
const restWithinMs = 180_000

/** Carries out a seed's plan: clients, faults and kills at the same time. Returns when every part is up again, with the faults still on. */
export async function runSeed(stack: ChaosStack, seed: number, accounts: AccountSet): Promise<SeedRun> {
  const plan = makePlan(seed, stack.killable)
  const expectedPosts = plan.posts.map((post): ExpectedPost => {
    const text = `${textPrefix(seed)}${post.n} post`
    return {
      plan: post,
      text,
      comment: post.hasComment ? `${textPrefix(seed)}${post.n} first comment` : null,
      connections: post.slots.map((slot) => accounts.of(slot).slug),
      requestId: null,
      intent: 'publish',
      earliestMs: 0,
      stoppedAtMs: null,
      log: [],
    }
  })
  const removeFaults = await injectFaults(stack.simulator, accounts, plan.faults)
  const beganMs = Date.now()
  const client = { api: stack.api, beganMs, keyPrefix: textPrefix(seed) }
  const [violations, outages] = await Promise.all([
    Promise.all(expectedPosts.map((expected) => drivePost(client, expected))),
    stack.supervisor.killAsPlanned(plan.kills, beganMs),
    sleep(clientsMs),
  ])
  return { plan, accounts, expectedPosts, removeFaults, outages, violations: violations.flat(), beganMs }
}

/** Waits until no post of the seed changes any more, retries failed ones where the plan says so, and verifies. */
export async function finishSeed(stack: ChaosStack, run: SeedRun): Promise<FinishedSeed> {
  await waitUntilTried(stack.api, run)
  const faultCounts = await run.removeFaults()
  await waitUntilAtRest(stack.api, run)
  const retried = await retryFailed(stack.api, run)
  if (retried > 0) await waitUntilAtRest(stack.api, run)
  const findings = await readFindings(stack, run, faultCounts)
  const violations = [...run.violations, ...verify(findings)]
  return { ...run, faultCounts, findings, violations, finishedMs: Date.now() - run.beganMs }
}

/** Reads what the API and the platforms show of a seed now. */
export async function readFindings(
  stack: ChaosStack,
  { plan, accounts, expectedPosts }: SeedRun,
  faultCounts: FaultCounts,
): Promise<Findings> {
  const posts = await listPosts(stack.api, plan.seed)
  const platformPosts = await Promise.all(
    accounts.accounts.map(({ platform, handle }) => stack.simulator.postsOf(platform, handle)),
  )
  return { expectedPosts, posts, platformPosts: platformPosts.flat(), accounts, faultCounts }
}

function textPrefix(seed: number): string {
  return `chaos-${seed}-`
}

async function waitUntilAtRest(api: Api, { plan }: SeedRun): Promise<void> {
  const endMs = Date.now() + restWithinMs
  // A post that still changes after that is reported by `verify`.
  while (Date.now() < endMs) {
    if ((await listPosts(api, plan.seed)).every(isAtRest)) return
    await sleep(500)
  }
}

async function waitUntilTried(api: Api, { plan }: SeedRun): Promise<void> {
  const endMs = Date.now() + faultsStayMsMax
  await sleep(faultsStayMs)
  const isTried = (post: ApiPost) => isAtRest(post) || post.channels.every(({ attempts }) => attempts > 0)
  while (Date.now() < endMs && !(await listPosts(api, plan.seed)).every(isTried)) await sleep(500)
}

async function retryFailed(api: Api, { expectedPosts, plan, beganMs }: SeedRun): Promise<number> {
  const posts = await listPosts(api, plan.seed)
  const failed = expectedPosts.filter(
    ({ plan: { retries }, text }) =>
      retries && posts.some((post) => post.text === text && post.channels.some(({ status }) => status === 'failed')),
  )
  for (const expected of failed) {
    const key = `${textPrefix(plan.seed)}${expected.plan.n}-retry`
    const { status, code } = await api({ method: 'POST', path: `/content/${expected.requestId}/retry`, key })
    addLogLine(expected, beganMs, `retry: ${status} ${code ?? ''}`)
  }
  return failed.length
}

async function listPosts(api: Api, seed: number): Promise<ApiPost[]> {
  const { data } = await api({ method: 'GET', path: `/content?limit=100&archived=any&search=${textPrefix(seed)}` })
  const page = fieldsOf(data)
  return listOf(page['data'] ?? data).map(parsePost)
}
