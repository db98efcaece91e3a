import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { Timeline } from './wire.ts'

/** Looks for a sent post among the newest. Not seeing it proves nothing: the list may lag behind, so the answer is never `absent`. */
export async function findAmongRecent(client: Client, draft: Draft<unknown>, handle: Handle): Promise<Found> {
  const wanted = comparableText(draft.text)
  // Nothing but links: every link-only post would look alike.
  if (wanted === '') return { state: 'unknown' }

  const query = { max_results: '100', 'tweet.fields': 'created_at,referenced_tweets' }
  const path = `/2/users/${client.account.id}/tweets`
  const { data = [] } = await client.http.call({ method: 'GET', path, query, returns: Timeline })
  const parent = draft.replyTo?.postId
  const post = data.find(({ text, created_at: createdAt, referenced_tweets: references = [] }) => {
    const isRecent = createdAt !== undefined && isSince(Date.parse(createdAt), handle)
    const repliedTo = references.find(({ type }) => type === 'replied_to')?.id
    return isRecent && repliedTo === parent && comparableText(text) === wanted
  })
  return post ? { state: 'published', postId: post.id, postUrl: postUrlOf(client, post.id) } : { state: 'unknown' }
}

export function postUrlOf({ account }: Client, postId: string): string {
  return `https://x.com/${account.handle}/status/${postId}`
}

const links = /https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+/gi
const bareDomains = /[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w\-.~/?#&=%+]*)?/gi

/** A text without what X rewrites: links become t.co, a bare domain too, and three characters come back as HTML. */
export function comparableText(text: string): string {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return plain.normalize('NFC').replaceAll(links, ' ').replaceAll(bareDomains, ' ').replaceAll(/\s+/g, ' ').trim()
}
