import type { ApiPost } from '../client/api-post.ts'
import type { PermissionChange } from '../client/drive-connection.ts'
import type { ExpectedPost } from '../client/expected-post.ts'
import type { Disturbance } from '../faults/disturbance.ts'
import type { Crash } from '../faults/supervisor.ts'
import type { FaultCounts } from '../faults/inject-platform-faults.ts'
import { traitsOf, type Platform } from '../plan/platform-traits.ts'
import type { AccountSet } from '../stack/open-account-sets.ts'
import type { AccountCalls, Submit } from '../stack/simulator-control.ts'

/** Everything that a seed is judged by: what definite answers promised, what the API says now, and the platforms' own record. */
export type Findings = {
  nowMs: number
  /** How much slower than a machine with nothing else to do; 1 or more. */
  slowness: number
  /** The same when the punctual posts were sent. */
  calmSlowness: number
  expectedPosts: readonly ExpectedPost[]
  posts: readonly ApiPost[]
  /** Every publishing call that reached a platform, comments included. */
  submits: readonly Submit[]
  accounts: AccountSet
  faultCounts: FaultCounts
  permissionChanges: readonly PermissionChange[]
  disturbances: readonly Disturbance[]
  /** Processes that were killed, or crashed. */
  deaths: readonly Crash[]
  /** The worker behind each address of the platforms. */
  callers: Readonly<Record<string, string>>
  accountCalls: readonly AccountCalls[]
}

/** Whether the platform carried the call out, whether or not the caller learned of it. */
export function isCarriedOut({ outcome }: Submit): boolean {
  return outcome === 'created' || outcome === 'dropped_after'
}

/** After these faults the caller has no answer that it can read, whatever the platform did. */
const unreadable = new Set<string | null>(['drop_before', 'drop_after', 'hang', 'garbage', 'malformed', 'huge_body', 'slow_body'])

/** Whether no caller can know what became of the call. A 5xx leaves open whether it was carried out; a 4xx does not. */
export function isDoubtful({ outcome, fault, faultStatus }: Submit): boolean {
  return outcome === 'dropped_after' || unreadable.has(fault) || (faultStatus !== null && faultStatus >= 500)
}

export function isRefusal({ faultStatus }: Submit): boolean {
  return faultStatus === 400 || faultStatus === 422
}

/** Whether the call led to a post. Some platforms accept a call first, and publish nothing if they then cannot fetch the files. */
export function isPublished(submit: Submit): boolean {
  return isCarriedOut(submit) && (submit.postId !== null || !traitsOf(submit.platform as Platform).fetchesLater)
}
