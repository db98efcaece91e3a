import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { Timeline } from './wire.ts'

/** Searches the newest posts. The list may be out of date, so a missing post may still exist and the answer is never `absent`. */
export async function findAmongRecent(client: Client, draft: Draft<unknown>, handle: Handle): Promise<Found> {
  const wanted = comparableText(draft.text)
  // The text contains only links, so it cannot be told from other posts with only links.
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

/** A text without the parts that X changes: links and bare domains become t.co links, and three characters become HTML entities. */
export function comparableText(text: string): string {
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return plain.normalize('NFC').replaceAll(links, ' ').replaceAll(bareDomains, ' ').replaceAll(/\s+/g, ' ').trim()
}
