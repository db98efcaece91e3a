import type { Client, Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { rejectedPost } from './errors.ts'
import { LocalPost } from './wire.ts'

const soonestMs = 5_000
const latestMs = 15 * 60_000
/** Google promises nothing about when a new post can be read. */
const hiddenMsMax = 10 * 60_000

/** A repeated post is shown, too. */
const shown = ['LIVE', 'RECURRING']

export function postsPath({ account }: Client, postId?: string): string {
  const path = `/v4/${account.id}/localPosts`
  return postId === undefined ? path : `${path}/${encodeURIComponent(postId)}`
}

/** The last part of its name. What stands before it is the location. */
export function idOf({ name }: LocalPost): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Until the review is over a post is `processing` here, and so is one that it refused: `check` finds that. */
export function outcomeOf(post: LocalPost, nowMs: number): Outcome {
  const postId = idOf(post)
  if (shown.includes(post.state ?? '')) return { state: 'published', postId, postUrl: post.searchUrl ?? null }
  const createdAtMs = Date.parse(post.createTime ?? '')
  return processing({ postId, createdAtMs: Number.isFinite(createdAtMs) ? createdAtMs : nowMs }, nowMs)
}

type Reference = { postId: string; createdAtMs: number }

/** Most posts are reviewed within seconds and some within a day, so the question is asked less often as time goes on. */
function processing({ postId, createdAtMs }: Reference, nowMs: number): Outcome {
  const checkAfterMs = Math.min(Math.max(soonestMs, (nowMs - createdAtMs) / 4), latestMs)
  return { state: 'processing', reference: `${postId}|${createdAtMs}`, checkAfterMs: Math.round(checkAfterMs) }
}

export async function checkPost(client: Client, reference: string): Promise<Outcome> {
  const [postId = '', created] = reference.split('|')
  const known = { postId, createdAtMs: Number(created) }
  const nowMs = client.http.nowMs()
  const post = await client.http
    .call({ method: 'GET', path: postsPath(client, postId), returns: LocalPost })
    .catch((error: unknown) => {
      const isNew = nowMs - known.createdAtMs < hiddenMsMax
      if (isNew && error instanceof PlatformError && error.kind === 'gone') return null
      throw error
    })
  if (post === null) return processing(known, nowMs)
  if (post.state === 'REJECTED') throw rejectedPost()
  return outcomeOf(post, nowMs)
}
