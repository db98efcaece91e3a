import { compareText } from '../kit/compare-text.ts'
import { commentIdOf } from '../kit/comment-id.ts'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { escapeText } from '../kit/html.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { slugOf, webUrl } from '../kit/web-address.ts'
import { api } from './auth.ts'
import { Comments, Posts } from './wire.ts'

const pageSize = 100

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
  return { state: 'published', postId: String(post.id), postUrl: webUrl(post.link) }
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
        url: webUrl(comment.link),
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
