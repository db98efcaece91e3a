import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Handle, Outcome, Sent } from '../kit/connector.ts'
import { cutText } from '../kit/cut-text.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { slugOf } from '../kit/web-address.ts'
import { splitText } from './content.ts'
import { type ListedPost, Posts } from './wire.ts'

/** The most that Tumblr lists at once. */
const pageSize = 20
const checkPagesMax = 3
const checkAgainMs = 20_000

/** Short, so that nothing cuts its end, which is from our key. */
const titleInSlugMax = 24

/** What ends like this is from a key of ours. */
const ownSlug = /-[a-z\d]{16}$/

/** The end of the address of a post, by which it is known. */
export function slugFor({ title }: Pick<Draft, 'title'>, handle: Handle): string {
  return slugOf({ title: title === null ? null : cutText(title, titleInSlugMax) }, handle)
}

export function pathOf({ account }: Client, end: string): string {
  return `/v2/blog/${encodeURIComponent(account.id)}${end}`
}

export function postUrlOf({ account }: Client, postId: string): string {
  return `https://www.tumblr.com/${account.handle}/${postId}`
}

/** Newest first, by the time at which they were published. */
async function listPosts(client: Client, offset: number): Promise<ListedPost[]> {
  const query = { npf: 'true', limit: String(pageSize), offset: String(offset) }
  const { response } = await client.http.call({ method: 'GET', path: pathOf(client, '/posts'), query, returns: Posts })
  return response.posts
}

export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  const slug = slugFor(sent.draft, sent.handle)
  const search = await searchListing(sent, async (cursor) => {
    const offset = Number(cursor ?? '0')
    const listed = await listPosts(client, offset)
    const posts = listed.map((post) => ({
      id: post.id_string,
      url: postUrlOf(client, post.id_string),
      createdAtMs: post.timestamp === undefined ? null : post.timestamp * 1000,
      compare: () => comparePost(sent.draft, slug, post),
    }))
    // A page may be shorter than was asked for.
    return { posts, next: listed.length === 0 ? null : String(offset + listed.length) }
  })
  const found = foundInListing(search)
  // A video is listed once it is converted, so a missing one may still come.
  return found.state === 'absent' && sent.draft.format === 'video' ? { state: 'unknown' } : found
}

/** The slug says whose a post is. Its words count only if Tumblr did not keep the slug. */
export function comparePost(
  { format, text, linkUrl }: Pick<Draft, 'format' | 'text' | 'linkUrl'>,
  slug: string,
  post: ListedPost,
): Match {
  if (post.slug === slug) return 'own'
  if (ownSlug.test(post.slug ?? '')) return 'other'
  const { content = [] } = post
  const paragraphs = content.filter(({ type, subtype }) => type === 'text' && subtype !== 'heading1')
  const shown = paragraphs.map((block) => block.text ?? '').join('\n\n')
  const match = compareText(splitText(text).join('\n\n'), shown)
  if (match === 'other' || format !== 'text') return match
  const link = content.find(({ type }) => type === 'link')?.url ?? null
  if (linkUrl === null) return link === null ? match : 'maybe'
  return link !== null && targetOf(link) === linkUrl && (match === 'same' || text === '') ? 'same' : 'maybe'
}

/** Tumblr leads over a server of its own, whose address has the target in it. */
function targetOf(link: string): string {
  return URL.parse(link)?.searchParams.get('z') ?? link
}

/** While Tumblr converts a video, the post has an id that it loses, so it is looked for by its slug. */
export function referenceOf(id: string, slug: string): string {
  return `${id}/${slug}`
}

export function processingOutcome(reference: string): Outcome {
  return { state: 'processing', reference, checkAfterMs: checkAgainMs }
}

export async function checkVideo(client: Client, reference: string): Promise<Outcome> {
  const [firstId = '', slug = ''] = reference.split('/')
  for (let page = 0; page < checkPagesMax; page++) {
    const posts = await listPosts(client, page * pageSize)
    const post = posts.find((each) => each.slug === slug || each.genesis_post_id === firstId || each.id_string === firstId)
    if (post) return { state: 'published', postId: post.id_string, postUrl: postUrlOf(client, post.id_string) }
    if (posts.length < pageSize) break
  }
  return processingOutcome(reference)
}
