import { measureSlowness } from '../../support/slowness.ts'
import { drivePost, sleepUntil } from '../client/drive-post.ts'
import { textPrefix } from '../client/seed-client.ts'
import { judgeChannels } from '../judge/judge-channels.ts'
import { judgeEvents } from '../judge/judge-events.ts'
import type { Violation } from '../judge/violation.ts'
import { expectedPost, finishSeed, readFindings, withoutRepeats, type FinishedSeed, type SeedRun } from '../run-seed.ts'
import { eventsWithinMs, waitUntilJudged } from '../run-seeds.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { judgeRestored } from './judge-restored.ts'
import type { AccidentPlan } from './plan-accident.ts'
import { runAccident } from './run-accident.ts'

const none = { total: 0, of: () => 0 }
/** After the last due time, the service gets this long before the run looks at the posts for the first time. */
const afterLastMs = 20_000

/** Creates the posts, lets the accident happen, and waits until nothing changes any more. */
export async function runAccidentSeed(stack: ChaosStack, plan: AccidentPlan): Promise<FinishedSeed> {
  const { seed } = plan
  const [accounts] = stack.accountSets
  if (!accounts) throw new Error('there are no accounts')
  const expectedPosts = plan.posts.map((post) => expectedPost(plan, post))
  const beganMs = Date.now()
  const client = { accounts, mediaIds: stack.mediaIds, beganMs, keyPrefix: textPrefix(seed) }
  const [violations, accident] = await Promise.all([
    Promise.all(expectedPosts.map((expected) => drivePost({ ...client, api: stack.apis[expected.workspace] }, expected))),
    runAccident(stack, plan, beganMs),
  ])
  const aheadMs = stack.nowMs() - Date.now()
  await sleepUntil(Math.max(...expectedPosts.map(({ earliestMs }) => earliestMs)) - aheadMs + afterLastMs)
  const run: SeedRun = {
    seed,
    plan,
    accounts,
    expectedPosts,
    permissionChanges: [],
    removeFaults: () => Promise.resolve(none),
    skipped: [],
    violations: [...violations, accident].flat(),
    beganMs,
    calmSlowness: measureSlowness(),
  }
  const isRestore = plan.accident.startsWith('database restored')
  const finished = await finishSeed(stack, run, isRestore ? judgeRestored : judgeChannels)
  if (!isRestore)
    await waitUntilJudged(stack, [finished], eventsWithinMs, ({ receiver }, _, now) => judgeEvents(now, receiver.events))
  const findings = await readFindings(stack, run, none)
  const events = isRestore ? judgeAnnouncement(stack) : judgeEvents(findings, stack.receiver.events)
  return { ...finished, violations: withoutRepeats([...finished.violations, ...judgeEnd(finished), ...events]) }
}

/** After a person has resolved what was in doubt and retried what was not there, every channel is a success, unless its workspace holds late posts. */
function judgeEnd({ findings }: FinishedSeed): Violation[] {
  const careful = findings.expectedPosts.filter(({ workspace }) => workspace === 'careful').map(({ text }) => text)
  const posts = findings.posts.filter(({ text }) => !careful.includes(text))
  return posts.flatMap(({ text, channels }) =>
    channels
      .filter(({ status }) => status !== 'success')
      .map(({ connection, status }): Violation => ({ kind: 'lost', text, detail: `${connection}: ${status} at the end` })),
  )
}

function judgeAnnouncement({ receiver, workspaceIds }: ChaosStack): Violation[] {
  const count = receiver.events.filter(({ event }) => event === 'workspace.restored').length
  const wanted = Object.keys(workspaceIds).length
  if (count === wanted) return []
  return [{ kind: 'event', text: 'workspace.restored', detail: `announced ${count} times to ${wanted} workspaces` }]
}
