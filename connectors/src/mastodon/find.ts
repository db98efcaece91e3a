import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { Statuses } from './wire.ts'

/**
 * Searches the newest statuses, because the server forgets the idempotency key after an hour.
 * A status missing from the list may still exist, so the answer is never `absent`.
 */
export async function findAmongRecent(client: Client, draft: Draft<unknown>, handle: Handle): Promise<Found> {
  const wanted = comparableText(draft.text)
  if (wanted === '') return { state: 'unknown' }

  const path = `/api/v1/accounts/${encodeURIComponent(client.account.id)}/statuses`
  const query = { limit: '40', exclude_reblogs: 'true' }
  const statuses = await client.http.call({ method: 'GET', path, query, returns: Statuses })
  const parent = draft.replyTo?.postId ?? null
  const status = statuses.find(({ created_at: createdAt, in_reply_to_id: repliedTo = null, content }) => {
    return isSince(Date.parse(createdAt), handle) && repliedTo === parent && comparableText(textOfHtml(content)) === wanted
  })
  return status ? { state: 'published', postId: status.id, postUrl: status.url ?? null } : { state: 'unknown' }
}

/** The text of a status in HTML. The server has escaped every `<` that does not start a tag, so removing tags is safe. */
export function textOfHtml(content: string): string {
  const text = content.replaceAll(/<[^>]*>/g, '')
  const characters: Record<string, string> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&nbsp;': ' ',
    '&amp;': '&',
  }
  return text.replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => characters[entity] ?? entity)
}

/** A text without the parts that the server changes: line breaks become tags, and a remote mention loses its host. */
export function comparableText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/(?<=@[\w.-]+)@[\w-]+(?:\.[\w-]+)+/g, '')
    .replaceAll(/\s+/g, '')
}
