import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Outcome, Sent } from '../kit/connector.ts'
import { titleOrStart } from '../kit/cut-text.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import type { Settings } from './settings.ts'
import { Comments, type ListedPost, Posts, StagedPost } from './wire.ts'

const pageSize = 100
const checkAgainMs = 5_000
const titleLimits = { lengthMin: 1, lengthMax: 300 }

/** Every post needs a title of one line. */
export function titleOf(draft: Pick<Draft, 'title' | 'text'>): string {
  return titleOrStart(draft, titleLimits)
}

/** The subreddit of the post, or the profile of the account, which is a subreddit too. */
export function subredditOf({ account }: Client, { subreddit }: Settings): string {
  return subreddit?.replace(/^\/?r\//i, '').replace(/^\/?u(?:ser)?\//i, 'u_') ?? `u_${account.handle}`
}

export function urlOf(permalink: string | null | undefined): string | null {
  return permalink ? `https://www.reddit.com${permalink}` : null
}

export async function findPost(client: Client, sent: Sent<Settings>): Promise<Found> {
  const { draft, staged } = sent
  if (draft.replyTo) return findComment(client, sent, draft.replyTo.postId)
  const assets = Value.Check(StagedPost, staged) ? staged.files.map(({ asset }) => asset) : []
  const search = await searchListing(sent, async (cursor) => {
    const { posts, after } = await listPosts(client, cursor)
    const compare = (post: ListedPost) => comparePost(client, draft, assets, post)
    return { posts: posts.map((post) => ({ ...headOf(post), compare: () => compare(post) })), next: after }
  })
  const found = foundInListing(search)
  // An image is listed once it is converted, so a missing one may still come.
  return found.state === 'absent' && draft.format === 'photo' ? { state: 'unknown' } : found
}

/**
 * The name of an uploaded file says whose a post is. Of texts and links, the subreddit, the exact title, the text and the link are compared: Reddit
 * takes the same post twice, so it may still be another one.
 */
function comparePost(client: Client, draft: Draft<Settings>, assets: readonly string[], post: ListedPost): Match {
  if (assets.length > 0) return assets.some((asset) => hasFile(post, asset)) ? 'own' : 'other'
  if (post.subreddit.toLowerCase() !== subredditOf(client, draft.settings).toLowerCase()) return 'other'
  if (compareText(titleOf(draft), post.title) !== 'same') return 'other'
  const text = post.selftext ?? ''
  const words = draft.text.trim() === '' && text === '' ? 'same' : compareText(draft.text, text)
  if (words === 'other') return 'other'
  // Files are not named where the database has forgotten what was staged.
  if (draft.format !== 'text') return 'maybe'
  const link = post.is_self === false ? (post.url ?? '') : null
  return link === draft.linkUrl ? words : 'maybe'
}

function hasFile({ url, media_metadata: files }: ListedPost, asset: string): boolean {
  const path = URL.parse(url ?? '')?.pathname ?? ''
  return path.startsWith(`/${asset}.`) || Object.hasOwn(Object(files), asset)
}

async function findComment(client: Client, sent: Sent<Settings>, postId: string): Promise<Found> {
  const path = `/user/${encodeURIComponent(client.account.handle)}/comments`
  const search = await searchListing(sent, async (cursor) => {
    const { data } = await client.http.call({ method: 'GET', path, query: pageQuery(cursor), returns: Comments })
    const posts = data.children.map(({ data: comment }) => ({
      ...headOf(comment),
      compare: () => (comment.parent_id === postId ? compareText(sent.draft.text, comment.body) : ('other' as const)),
    }))
    return { posts, next: data.after ?? null }
  })
  return foundInListing(search)
}

function headOf({ name, permalink, created_utc: seconds }: Pick<ListedPost, 'name' | 'permalink' | 'created_utc'>) {
  return { id: name, url: urlOf(permalink), createdAtMs: seconds === undefined ? null : seconds * 1000 }
}

/** Newest first. Without `raw_json`, texts have entities in them. */
const pageQuery = (cursor: string | null) => ({
  sort: 'new',
  limit: String(pageSize),
  raw_json: '1',
  after: cursor ?? undefined,
})

async function listPosts({ http, account }: Client, cursor: string | null) {
  const path = `/user/${encodeURIComponent(account.handle)}/submitted`
  const { data } = await http.call({ method: 'GET', path, query: pageQuery(cursor), returns: Posts })
  return { posts: data.children.map((child) => child.data), after: data.after ?? null }
}

export function processingOutcome(asset: string): Outcome {
  return { state: 'processing', reference: asset, checkAfterMs: checkAgainMs }
}

/** An image has no id before it is converted. Then the name of its file is in the address of the image. */
export async function checkImage(client: Client, asset: string): Promise<Outcome> {
  const { posts } = await listPosts(client, null)
  const post = posts.find((each) => hasFile(each, asset))
  return post ? { state: 'published', postId: post.name, postUrl: urlOf(post.permalink) } : processingOutcome(asset)
}
