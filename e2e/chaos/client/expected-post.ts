import type { PlannedPost } from '../plan/plan-posts.ts'
import type { Workspace } from '../plan/slot.ts'

/** What a client knows about its post from definite answers alone. The service must behave accordingly. */
export type ExpectedPost = {
  plan: PlannedPost
  workspace: Workspace
  text: string
  /** The texts of the posts that follow it as a thread. */
  thread: string[]
  comment: string | null
  /** Slugs of the connections that it is published to, in the order of the planned slots. */
  connections: string[]
  /** One of its accounts loses its permission during the seed, so a request may be refused for that reason. */
  canBeRefused: boolean
  /** The id of the post, once an answer has confirmed it. */
  requestId: string | null
  /** What the last definite answer says will happen. `stopped` and `deleted` were confirmed by a 2xx. */
  intent: 'publish' | 'stopped' | 'deleted'
  /** It must not be published before this time. */
  earliestMs: number
  /** When an answer confirmed the last change of its time. A request that was repeated may have been accepted only then. */
  acceptedMs: number
  /** When the stop or the deletion was confirmed. */
  stoppedAtMs: number | null
  /** It was certainly accepted before its time, so it was scheduled. */
  wasScheduled: boolean
  /** How often requests could cause each event. */
  requests: { schedule: number; publish: number; retry: number; resolve: number }
  log: string[]
}

/** The post that the API lists for it. Several posts may have the same text. */
export function postOf<T extends { id: string; requestId: string }>(
  { requestId }: Pick<ExpectedPost, 'requestId'>,
  posts: readonly T[],
): T | undefined {
  return posts.find((post) => requestId !== null && (post.requestId === requestId || post.id === requestId))
}

export function addLogLine(expected: ExpectedPost, beganMs: number, words: string): void {
  expected.log.push(`${String(Date.now() - beganMs).padStart(6)} ms ${words}`)
}
