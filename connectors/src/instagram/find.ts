import type { Client, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { readContainer } from './container.ts'
import { Comments, Listing } from './wire.ts'

/** Shorter than on other platforms: captions cannot be compared, and a post made shortly before must not be taken for ours. */
const toleranceMs = 5_000

/** A published container does not name its post, and captions cannot be read. So a post is recognised only if it is the only new one. */
export async function findPublished(client: Client, creationId: string, handle: Handle): Promise<Found> {
  const { status_code: state } = await readContainer(client, creationId)
  if (state === 'IN_PROGRESS') return { state: 'unknown' }
  if (state !== 'PUBLISHED') return { state: 'absent' }
  const query = { fields: 'id,permalink,timestamp', limit: '25' }
  const path = `/v26.0/${client.account.id}/media`
  const { data } = await client.http.call({ method: 'GET', path, query, returns: Listing })
  const [post, ...others] = data.filter(({ timestamp }) => isSince(Date.parse(timestamp), handle, toleranceMs))
  if (!post || others.length > 0) return { state: 'unknown' }
  return { state: 'published', postId: post.id, postUrl: post.permalink ?? null }
}

/** A comment has no container. If it is not in the list, it may still exist, so the answer is never `absent`. */
export async function findComment(client: Client, sent: { postId: string; text: string; handle: Handle }): Promise<Found> {
  const query = { fields: 'id,text,timestamp', limit: '50' }
  const path = `/v26.0/${encodeURIComponent(sent.postId)}/comments`
  const { data } = await client.http.call({ method: 'GET', path, query, returns: Comments })
  const comment = data.find(({ text, timestamp }) => {
    return isSince(Date.parse(timestamp), sent.handle, toleranceMs) && text?.trim() === sent.text.trim()
  })
  return comment ? { state: 'published', postId: comment.id, postUrl: null } : { state: 'unknown' }
}
