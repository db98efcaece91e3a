import { plainPost, type PlannedPost } from './plan-posts.ts'
import { traitsOf } from './platform-traits.ts'
import { createRandom } from './random.ts'
import { eagerSlots } from './slot.ts'

/** How many posts a thread has after its first. */
const furtherPosts = 4

/** Two threads of five posts, on accounts that have the faults of the seed. One begins with pictures. */
export function planThreads(seed: number, n: number): PlannedPost[] {
  // Apart from the rest of the plan, which stays as it is.
  const random = createRandom(seed + 2_000_003)
  const slots = eagerSlots.filter(({ platform }) => traitsOf(platform).hasThreads)
  return (['text', 'carousel'] as const).map((kind, at) => ({
    ...plainPost,
    n: n + at,
    kind,
    atMs: random.between(0, 2000),
    slots: random.pickSome(slots, random.between(2, 3)),
    dueInMs: random.happens(0.5) ? null : random.between(600, 3000),
    furtherPosts,
    hasComment: random.happens(0.5),
    parallelRequests: random.happens(0.25) ? 2 : 1,
    retries: random.happens(0.7),
    resolves: random.happens(0.7),
    // Deleted while it is being sent: what is not yet on its way stays away.
    steps: random.happens(0.1) ? [{ atMs: random.between(3000, 9000), action: 'delete' }] : [],
  }))
}
