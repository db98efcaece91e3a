import { planConnectionFaults, type ConnectionFault } from './plan-connections.ts'
import { planLongDelays, planPlatformFaults, type PlannedFault } from './plan-platform-faults.ts'
import { farMs, isBulk, planCalmPosts, planPosts, type PlannedPost } from './plan-posts.ts'
import { planStackFaults, type Parts, type StackFault } from './plan-stack-faults.ts'
import { planLeftOut } from './plan-left-out.ts'
import { planThreads } from './plan-threads.ts'
import { planTwins } from './plan-twins.ts'
import { createRandom } from './random.ts'
import { ownSlots, type Reach } from './slot.ts'

export type Plan = {
  seed: number
  reach: Reach
  posts: PlannedPost[]
  /** Created when every fault of the seed is over. */
  calmPosts: PlannedPost[]
  platformFaults: PlannedFault[]
  connectionFaults: ConnectionFault[]
  stackFaults: StackFault[]
}

/** Plans everything that a seed will do. The plan depends on no clock, so the same seed always gives the same plan. */
export function makePlan(seed: number, parts: Parts, reach: Reach = 'usual'): Plan {
  const random = createRandom(seed)
  const posts = planPosts(random)
  const calmPosts = planCalmPosts(random, posts.length)
  const twins = planTwins(seed, posts.length + calmPosts.length)
  const threads = planThreads(seed, posts.length + calmPosts.length + twins.posts.length)
  const usual = [...posts, ...twins.posts, ...threads]
  const leftOut = reach === 'all' ? planLeftOut(seed, usual.length + calmPosts.length) : { posts: [], platformFaults: [] }
  return {
    seed,
    reach,
    posts: [...usual, ...leftOut.posts],
    calmPosts,
    platformFaults: [
      ...planLongDelays(seed),
      ...planPlatformFaults(random, ownSlots),
      ...twins.platformFaults,
      ...leftOut.platformFaults,
    ],
    connectionFaults: [...planConnectionFaults(seed, random), ...twins.connectionFaults],
    stackFaults: planStackFaults(random, seed, parts),
  }
}

/** The names of everything that a plan contains, for the record and for the test that twelve seeds contain all of it. */
export function kindsOf({ posts, platformFaults, connectionFaults, stackFaults }: Plan): string[] {
  const kinds = [
    ...stackFaults.map(({ kind }) => kind),
    ...connectionFaults.map(({ kind }) => kind),
    ...platformFaults.flatMap((fault) => fault.kinds),
    ...posts.flatMap((post) => [
      `${post.kind} post`,
      scheduleOf(post),
      ...post.steps.map(({ action }) => (action === 'reschedule' && isBulk(post) ? 'bulk reschedule' : action)),
      ...(post.hasComment ? ['first comment'] : []),
      ...(post.furtherPosts === undefined ? [] : ['thread']),
      ...(post.retries ? ['retry'] : []),
      ...(post.resolves ? ['resolve'] : []),
      ...(post.parallelRequests > 1 ? ['parallel creates'] : []),
      ...(post.twin === undefined ? [] : [`equal words, ${post.twin}`]),
    ]),
  ]
  return [...new Set(kinds)].toSorted()
}

function scheduleOf({ isDraft, dueInMs }: PlannedPost): string {
  if (isDraft) return 'draft'
  if (dueInMs === null) return 'due now'
  return dueInMs === farMs ? 'due in days' : 'due in seconds'
}
