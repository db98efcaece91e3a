import type { PlannedPost } from './plan.ts'

/** What a client knows about its post, from definite answers only: the measure the service is held to. */
export type Story = {
  plan: PlannedPost
  text: string
  comment: string | null
  /** Slugs of the connections it goes to. */
  connections: string[]
  /** The accepted post's id, once an answer said so. */
  requestId: string | null
  /** What the client has last been told will happen. `stopped` and `deleted` were confirmed by a 2xx. */
  wish: 'publish' | 'stopped' | 'deleted'
  /** It must not be out before. */
  earliestMs: number
  /** When the stop or the deletion was confirmed, and when the client first asked for it. */
  stoppedAtMs: number | null
  log: string[]
}

export function note(story: Story, beganMs: number, words: string): void {
  story.log.push(`${String(Date.now() - beganMs).padStart(6)} ms ${words}`)
}
