import { plainPost, type PlannedPost } from './plan-posts.ts'
import { planPlatformFaults, type PlannedFault } from './plan-platform-faults.ts'
import { traitsOf } from './platform-traits.ts'
import { createRandom } from './random.ts'
import { leftOutSlots } from './slot.ts'

const furtherPosts = 2

/** A post on each platform that a usual run leaves out, by itself, because one that stays in doubt for long would hold up those beside it. */
export function planLeftOut(seed: number, n: number): { posts: PlannedPost[]; platformFaults: PlannedFault[] } {
  // Apart from the rest of the plan, which stays as it is.
  const random = createRandom(seed + 3_000_017)
  const posts = leftOutSlots.map((slot, at): PlannedPost => {
    const { kinds, hasComments, hasThreads } = traitsOf(slot.platform)
    const isThread = hasThreads === true && random.happens(0.3)
    return {
      ...plainPost,
      n: n + at,
      kind: random.pickSome(kinds, 1)[0] ?? 'text',
      atMs: random.between(0, 2000),
      slots: [slot],
      dueInMs: random.happens(0.5) ? null : random.between(600, 4500),
      ...(isThread && { furtherPosts }),
      hasComment: hasComments && random.happens(0.35),
      isAsync: random.happens(0.5),
      parallelRequests: random.happens(0.25) ? 2 : 1,
      retries: random.happens(0.7),
      resolves: random.happens(0.7),
      steps: random.happens(0.1) ? [{ atMs: random.between(2000, 6000), action: 'delete' }] : [],
    }
  })
  return { posts, platformFaults: planPlatformFaults(random, leftOutSlots) }
}
