import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { compareStatus } from '../mastodon-api/compare-status.ts'
import { statusPath } from '../mastodon-api/calls.ts'
import { Context, File, StagedPost, Statuses } from './wire.ts'

type Listed = Static<typeof Statuses>[number]

/** Only this many answers to a post are listed, the oldest first. */
const contextMax = 20

/**
 * A file that is still free proves that no post was made of it: each belongs to one post, so that a second attempt with the same files cannot make
 * another one. A file that is not free belongs to a post, or was deleted because nothing used it for two hours.
 */
export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  const { draft, staged } = sent
  if (draft.replyTo) return findComment(client, sent, draft.replyTo.postId)
  const media = Value.Check(StagedPost, staged) ? staged.media : []
  const [first] = media
  if (first !== undefined && (await isFree(client, first))) return { state: 'absent', proof: 'reference' }
  const path = `/api/v1/accounts/${encodeURIComponent(client.account.id)}/statuses`
  const search = await searchListing(sent, async (cursor) => {
    const query = { limit: '40', max_id: cursor ?? undefined }
    const statuses = await client.http.call({ method: 'GET', path, query, returns: Statuses })
    const compare = (status: Listed) => {
      if (first === undefined) return compareStatus(draft.text, status.content)
      return (status.media_attachments ?? []).some(({ id }) => media.includes(id)) ? ('own' as const) : ('other' as const)
    }
    return {
      posts: statuses.map((status) => ({ ...headOf(status), compare: () => compare(status) })),
      next: statuses.at(-1)?.id ?? null,
    }
  })
  const found = foundInListing(search)
  return found.state === 'absent' && first !== undefined ? { state: 'unknown' } : found
}

async function isFree({ http }: Client, id: string): Promise<boolean> {
  try {
    await http.call({ method: 'GET', path: `/api/v1/media/${encodeURIComponent(id)}`, returns: File })
    return true
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'gone') return false
    throw error
  }
}

/** The list of an account has no answers, so those to the post are read. */
async function findComment({ http, account }: Client, sent: Sent<unknown>, postId: string): Promise<Found> {
  const { descendants } = await http.call({ method: 'GET', path: `${statusPath(postId)}/context`, returns: Context })
  const own = descendants.filter((status) => status.account === undefined || status.account.id === account.id)
  const posts = own.map((status) => ({ ...headOf(status), compare: () => compareStatus(sent.draft.text, status.content) }))
  const search = await searchListing(sent, async () => ({ posts, next: null }), { isNewestFirst: false })
  const found = foundInListing(search)
  return found.state === 'absent' && descendants.length >= contextMax ? { state: 'unknown' } : found
}

function headOf({ id, url, created_at: createdAt }: Listed) {
  return { id, url: url ?? null, createdAtMs: Date.parse(createdAt) }
}
