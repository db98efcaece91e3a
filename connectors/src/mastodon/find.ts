import type { Static } from 'typebox'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { textOfHtml } from '../kit/html.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { Statuses } from './wire.ts'

/** A mention of two characters becomes about 150 characters of HTML. */
const markupFactorMax = 100
const markupMargin = 20_000

/** Searches the account's statuses in the window, because the server forgets the idempotency key after an hour. */
export async function findAmongRecent(client: Client, sent: Sent<unknown>): Promise<Found> {
  const path = `/api/v1/accounts/${encodeURIComponent(client.account.id)}/statuses`
  const search = await searchListing(sent, async (cursor) => {
    const query = { limit: '40', exclude_reblogs: 'true', max_id: cursor ?? undefined }
    const statuses = await client.http.call({ method: 'GET', path, query, returns: Statuses })
    // Servers may leave out statuses from a page, so only an empty page is the end of the list.
    return { posts: statuses.map((status) => listed(status, sent)), next: statuses.at(-1)?.id ?? null }
  })
  return foundInListing(search)
}

function listed(status: Static<typeof Statuses>[number], { draft }: Sent<unknown>) {
  const isSameParent = (status.in_reply_to_id ?? null) === (draft.replyTo?.postId ?? null)
  return {
    id: status.id,
    url: status.url ?? null,
    createdAtMs: Date.parse(status.created_at),
    compare: () => (isSameParent ? compareStatus(draft.text, status.content) : 'other'),
  }
}

/** Compares a text with the HTML that the server made of it. Some servers show a link in full, others shorten it. */
export function compareStatus(sent: string, content: string): Match {
  // Never seen of an honest server, so nothing can be said about it.
  if (content.length > sent.length * markupFactorMax + markupMargin) return 'maybe'
  const { shown, withTargets } = textOfHtml(content)
  const wanted = comparable(sent)
  const asShown = compareText(wanted, comparable(shown))
  return asShown === 'same' ? asShown : compareText(wanted, comparable(withTargets))
}

/** A text without the parts that the server changes: line breaks become tags, and a remote mention loses its host. */
function comparable(text: string): string {
  return text.replaceAll(/(@[\w.-]+)@[\w-]+(?:\.[\w-]+)+/g, '$1').replaceAll(/\s+/g, ' ')
}
