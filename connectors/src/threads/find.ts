import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, foundOfPublished, type Search, searchListing } from '../kit/search-listing.ts'
import { nextCursor } from '../meta/paging.ts'
import { readContainer } from './container.ts'
import { Listing, StagedPost } from './wire.ts'

/** The container's state tells whether it was published, but not as which post. Without a container, only the listing can tell. */
export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  const state = Value.Check(StagedPost, sent.staged) ? await readState(client, sent.staged.creationId) : 'forgotten'
  if (state === 'IN_PROGRESS') return { state: 'unknown' }
  if (state === 'PUBLISHED') return foundOfPublished(await searchLists(client, sent))
  if (state === 'forgotten') return foundInListing(await searchLists(client, sent))
  return { state: 'absent', proof: 'reference' }
}

/** Threads deletes containers after a while. */
async function readState(client: Client, creationId: string): Promise<string> {
  try {
    return (await readContainer(client, creationId)).status
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'gone') return 'forgotten'
    throw error
  }
}

/** Meta does not document which of the two lists contains a reply to one's own post, so both are searched for a reply. */
async function searchLists(client: Client, sent: Sent<unknown>): Promise<Search> {
  const search = await searchList(client, 'threads', sent)
  return sent.draft.replyTo === null || search.candidates.length > 0 ? search : searchList(client, 'replies', sent)
}

function searchList({ http, account }: Client, list: 'threads' | 'replies', sent: Sent<unknown>): Promise<Search> {
  const fields = 'id,permalink,timestamp,text,link_attachment_url,replied_to'
  return searchListing(sent, async (cursor) => {
    const query = { fields, limit: '50', after: cursor ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path: `/v1.0/${account.id}/${list}`, query, returns: Listing })
    const posts = data.map((post) => ({
      id: post.id,
      url: post.permalink ?? null,
      createdAtMs: Date.parse(post.timestamp),
      compare: () => compareThread(sent.draft, post),
    }))
    return { posts, next: nextCursor(paging) }
  })
}

type ListedThread = Pick<Static<typeof Listing>['data'][number], 'text' | 'link_attachment_url' | 'replied_to'>

export function compareThread(draft: Pick<Draft, 'format' | 'text' | 'linkUrl' | 'replyTo'>, thread: ListedThread): Match {
  if (thread.replied_to !== undefined && thread.replied_to.id !== draft.replyTo?.postId) return 'other'
  const match = compareText(draft.text, thread.text ?? '')
  // A post with media has no attached link.
  if (match === 'other' || draft.format !== 'text' || draft.linkUrl === null) return match
  const isSameLink = thread.link_attachment_url === draft.linkUrl
  return isSameLink && (match === 'same' || draft.text === '') ? 'same' : 'maybe'
}
