import type { ConnectionFault } from './plan-connections.ts'
import type { PlannedFault } from './plan-platform-faults.ts'
import type { PlannedPost } from './plan-posts.ts'
import { plainPost } from './plan-posts.ts'
import { createRandom } from './random.ts'
import { sharedSlots, type Slot } from './slot.ts'

export type TwinPlan = { posts: PlannedPost[]; platformFaults: PlannedFault[]; connectionFaults: ConnectionFault[] }

/** In each third seed an account is disconnected and connected again between two posts with the same words. */
const reconnectEvery = 3

/**
 * Posts with equal words on an account that both workspaces have connected. Some are due at the same moment, some before and after the
 * account was connected anew, and their answers get lost: none may be taken for another.
 */
export function planTwins(seed: number, n: number): TwinPlan {
  // Apart from the rest of the plan, which stays as it is.
  const random = createRandom(seed + 1_000_003)
  const isReconnecting = seed % reconnectEvery === 0
  const [xEager, xCareful, mastodonEager, mastodonCareful] = sharedSlots as [Slot, Slot, Slot, Slot]
  const post = (at: number, more: Pick<PlannedPost, 'twin' | 'slots' | 'dueInMs' | 'atMs'>): PlannedPost => ({
    ...plainPost,
    resolves: false,
    n: n + at,
    ...more,
  })
  const dueInMs = random.between(1500, 3000)
  const again = random.between(5500, 6500)
  const onX = isReconnecting
    ? [
        { twin: 'reconnected', slots: [xEager], atMs: 0, dueInMs: null },
        { twin: 'reconnected', slots: [xEager], atMs: again, dueInMs: null },
        { twin: 'reconnected', slots: [xCareful], atMs: again, dueInMs: null },
      ]
    : [
        { twin: 'together', slots: [xEager], atMs: 0, dueInMs },
        { twin: 'together', slots: [xEager], atMs: 0, dueInMs },
        { twin: 'together', slots: [xCareful], atMs: 0, dueInMs },
      ]
  const onMastodon = [
    { twin: 'after', slots: [mastodonEager], atMs: 0, dueInMs: null },
    { twin: 'after', slots: [mastodonCareful], atMs: random.between(1000, 4000), dueInMs: null },
  ]
  const lost = (slot: Slot): PlannedFault => ({
    ...slot,
    operation: 'submit',
    kinds: ['drop before', 'drop after'],
    fault: {
      kind: 'random',
      seed: random.between(1, 1_000_000),
      probability: 0.6,
      faults: [{ kind: 'drop_before' }, { kind: 'drop_before' }, { kind: 'drop_after' }],
    },
  })
  return {
    posts: [...onX, ...onMastodon].map((each, at) => post(at, each)),
    platformFaults: [lost(xEager), lost(mastodonEager)],
    connectionFaults: isReconnecting ? [{ ...xEager, kind: 'disconnect', atMs: 3000, reconnectAfterMs: 1000 }] : [],
  }
}
