import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { Statuses } from './wire.ts'

/**
 * Looks for a sent status among the newest, for the hour after which the server has forgotten the key.
 * Not seeing it proves nothing, so the answer is never `absent`.
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

/** The words of a status. Only whole tags go: the server has already escaped every other `<`. */
export function textOfHtml(content: string): string {
  const text = content.replaceAll(/<[^>]*>/g, '')
  const signs: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' }
  return text.replaceAll(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (sign) => signs[sign] ?? sign)
}

/** A text without what the server rewrites: line breaks become tags, and a remote mention loses its host. */
export function comparableText(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/(?<=@[\w.-]+)@[\w-]+(?:\.[\w-]+)+/g, '')
    .replaceAll(/\s+/g, '')
}
