import type { Static } from 'typebox'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { compareStatus } from '../mastodon-api/compare-status.ts'
import { Statuses } from '../mastodon-api/wire.ts'

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
