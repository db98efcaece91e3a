import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { comparableText, toLittleText } from './little-text.ts'
import { encodeUrn, isPage, postUrlOf, restHeaders } from './rest.ts'
import { Comments, Posts } from './wire.ts'

type SentPost = { draft: Draft<unknown>; handle: Handle }

/**
 * Searches the newest posts of a page. A person's posts cannot be read, and a post missing from the list may still exist, so the answer
 * is never `absent`.
 */
export async function findAmongRecent(client: Client, { draft, handle }: SentPost): Promise<Found> {
  if (!isPage(client.account.id)) return { state: 'unknown' }
  if (draft.replyTo) return findComment(client, draft.replyTo.postId, { draft, handle })
  const wanted = comparableText(toLittleText(draft.text))
  if (wanted === '') return { state: 'unknown' }
  const query = { q: 'author', author: client.account.id, count: '50', sortBy: 'CREATED' }
  const headers = { ...restHeaders, 'X-RestLi-Method': 'FINDER' }
  const { elements } = await client.http.call({ method: 'GET', path: '/rest/posts', query, headers, returns: Posts })
  const post = elements.find(({ commentary = '', createdAt, publishedAt }) => {
    return isSince(publishedAt ?? createdAt ?? 0, handle) && comparableText(commentary) === wanted
  })
  return post ? { state: 'published', postId: post.id, postUrl: postUrlOf(post.id) } : { state: 'unknown' }
}

async function findComment({ http, account }: Client, postId: string, { draft, handle }: SentPost): Promise<Found> {
  const path = `/rest/socialActions/${encodeUrn(postId)}/comments`
  const { elements } = await http.call({ method: 'GET', path, headers: restHeaders, returns: Comments })
  const comment = elements.find(({ actor, message, created }) => {
    return isSince(created?.time ?? 0, handle) && actor === account.id && message.text?.trim() === draft.text.trim()
  })
  if (comment?.commentUrn === undefined) return { state: 'unknown' }
  return { state: 'published', postId: comment.commentUrn, postUrl: postUrlOf(postId) }
}
