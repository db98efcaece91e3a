import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, foundOfPublished, type Search, searchListing } from '../kit/search-listing.ts'
import { nextCursor } from '../meta/paging.ts'
import { readContainer } from './container.ts'
import { Comments, Listing, StagedPost } from './wire.ts'

/** The container's state tells whether it was published, but not as which post. Without a container, only the listing can tell. */
export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  if (sent.draft.replyTo) return findComment(client, sent.draft.replyTo.postId, sent)
  const state = Value.Check(StagedPost, sent.staged) ? await readState(client, sent.staged.creationId) : 'forgotten'
  const isListed = sent.draft.format !== 'story'
  if (state === 'PUBLISHED' && isListed) return foundOfPublished(await searchMedia(client, sent))
  if (state === 'forgotten' && isListed) return foundInListing(await searchMedia(client, sent))
  // Stories are in no list.
  if (state === 'PUBLISHED') return { state: 'unidentified' }
  if (state === 'forgotten' || state === 'IN_PROGRESS') return { state: 'unknown' }
  return { state: 'absent', proof: 'reference' }
}

/** Instagram deletes containers after a while. */
async function readState(client: Client, creationId: string): Promise<string> {
  try {
    return (await readContainer(client, creationId)).status_code
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'gone') return 'forgotten'
    throw error
  }
}

function searchMedia({ http, account }: Client, sent: Sent<unknown>): Promise<Search> {
  const fields = 'id,permalink,timestamp,caption'
  return searchListing(sent, async (cursor) => {
    const query = { fields, limit: '50', after: cursor ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path: `/v26.0/${account.id}/media`, query, returns: Listing })
    const posts = data.map((post) => ({
      id: post.id,
      url: post.permalink ?? null,
      createdAtMs: Date.parse(post.timestamp),
      compare: () => compareCaption(sent.draft, post),
    }))
    return { posts, next: nextCursor(paging) }
  })
}

/** Not every login may read captions. A post whose caption is not shown may be any post. */
export function compareCaption(
  { text }: Pick<Draft, 'text'>,
  { caption }: Pick<Static<typeof Listing>['data'][number], 'caption'>,
): Match {
  return caption === undefined ? 'maybe' : compareText(text, caption)
}

/** A comment has no container. Other people's comments are in the list too. */
async function findComment({ http, account }: Client, postId: string, sent: Sent<unknown>): Promise<Found> {
  const path = `/v26.0/${encodeURIComponent(postId)}/comments`
  const search = await searchListing(sent, async (cursor) => {
    const query = { fields: 'id,text,timestamp,username', limit: '50', after: cursor ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path, query, returns: Comments })
    const own = data.filter(({ username }) => username === undefined || username === account.handle)
    const posts = own.map(({ id, text = '', timestamp }) => ({
      id,
      url: null,
      createdAtMs: Date.parse(timestamp),
      compare: () => compareText(sent.draft.text, text),
    }))
    return { posts, next: nextCursor(paging) }
  })
  return foundInListing(search)
}
