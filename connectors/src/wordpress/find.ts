import { compareText } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Handle, Sent } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { api } from './auth.ts'
import { escapeText } from './html.ts'
import { commentIdOf, linkOf } from './post-id.ts'
import { Comments, Posts } from './wire.ts'

const pageSize = 100
const titleLengthMax = 80
const keyLength = 16

/** The last part of the address of a post: its title for people, and an end by which a lost post is found. No two posts of a site have the same. */
export function slugOf({ title }: Pick<Draft, 'title'>, { key }: Pick<Handle, 'key'>): string {
  const words = (title ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, titleLengthMax)
    .replaceAll(/^-|-$/g, '')
  // The end of a key is random; its beginning may be a time.
  const end = key
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .slice(-keyLength)
  return `${words === '' ? 'post' : words}-${end}`
}

/** A post has the slug that we gave it. It may still be under way, or missing from a cache, so its absence is no proof. */
export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  const { draft, handle, knownPostIds } = sent
  if (draft.replyTo) return findComment(client, sent, draft.replyTo.postId)
  const slug = slugOf(draft, handle)
  // `any` has drafts too, if somebody has taken the post back meanwhile.
  const query = { slug, status: 'any', context: 'edit', per_page: '10' }
  const posts = await client.http.call({ method: 'GET', path: `${api}/posts`, query, returns: Posts })
  const [post, ...others] = posts.filter((each) => each.slug === slug)
  if (!post) return { state: 'absent', proof: 'listing' }
  if (others.length > 0 || knownPostIds.has(String(post.id))) return { state: 'unknown' }
  return { state: 'published', postId: String(post.id), postUrl: linkOf(post) }
}

/** Only moderators are told what was written. What is shown has other quotes and dashes, so nothing can be said by that. */
async function findComment({ http, account }: Client, sent: Sent<unknown>, postId: string): Promise<Found> {
  const written = escapeText(sent.draft.text)
  try {
    const search = await searchListing(sent, async (cursor) => {
      const page = Number(cursor ?? '1')
      const query = { post: postId, context: 'edit', status: 'all', per_page: String(pageSize), page: String(page) }
      const comments = await http.call({ method: 'GET', path: `${api}/comments`, query, returns: Comments })
      const posts = comments.map((comment) => ({
        id: commentIdOf(comment.id),
        url: linkOf(comment),
        createdAtMs: Date.parse(`${comment.date_gmt}Z`),
        compare: () =>
          String(comment.author) === account.id ? compareText(written, comment.content.raw ?? '') : ('other' as const),
      }))
      return { posts, next: comments.length < pageSize ? null : String(page + 1) }
    })
    return foundInListing(search)
  } catch (error) {
    if (error instanceof PlatformError && error.platformCode === 'rest_forbidden_context') return { state: 'unknown' }
    throw error
  }
}
