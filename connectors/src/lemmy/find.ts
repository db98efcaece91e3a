import { compareText, type Match } from '../kit/compare-text.ts'
import { commentIdOf } from '../kit/comment-id.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { webUrl } from '../kit/web-address.ts'
import { findCommunity } from './community.ts'
import type { Settings } from './settings.ts'
import { titleOf } from './title.ts'
import { api, Comments, Posts, Site, StagedPost } from './wire.ts'

const pageSize = 50

/** Lemmy knows no repeat, so the newest posts of the community are compared with the one that was sent. */
export async function findPost(client: Client, sent: Sent<Settings>): Promise<Found> {
  const { draft, staged } = sent
  if (draft.replyTo) return findComment(client, sent, draft.replyTo.postId)
  const place = isOfShape(StagedPost, staged) ? staged : null
  const { http, account, credentials } = client
  const communityId =
    place?.communityId ?? (await findCommunity(http, draft.settings.community ?? credentials.extra?.['community'] ?? ''))
  const search = await searchListing(sent, async (cursor) => {
    // What the person has chosen not to see is missing from lists otherwise, also for its author.
    const shown = { show_nsfw: 'true', show_read: 'true', show_hidden: 'true' }
    const page = { limit: String(pageSize), page_cursor: cursor ?? undefined }
    const query = { community_id: String(communityId), type_: 'All', sort: 'New', ...shown, ...page }
    const { posts, next_page: next = null } = await http.call({ method: 'GET', path: `${api}/post/list`, query, returns: Posts })
    const listed = posts.map(({ post }) => ({
      id: String(post.id),
      url: webUrl(post.ap_id),
      createdAtMs: Date.parse(post.published),
      compare: () => (String(post.creator_id) === account.id ? comparePost(draft, post, place?.image ?? null) : 'other'),
    }))
    return { posts: listed, next: posts.length < pageSize ? null : next }
  })
  const found = foundInListing(search)
  return found.state === 'absent' && !(await seesOwnPosts(client, place)) ? { state: 'unknown' } : found
}

type Shown = { name: string; body?: string | null; url?: string | null }

/** Lemmy takes parts of addresses away that follow people, and words that the server does not like. */
function comparePost(draft: Pick<Draft, 'title' | 'text' | 'linkUrl'>, { name, body, url }: Shown, image: string | null): Match {
  if (compareText(titleOf(draft), name) === 'other') return 'other'
  const text = draft.text.trim() === '' && !body ? 'same' : compareText(draft.text, body ?? '')
  if (text !== 'same') return text
  const target = image ?? draft.linkUrl
  return target === null || isSameAddress(target, url ?? '') ? text : 'maybe'
}

function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)]
  return first !== null && second !== null && first.href === second.href
}

/** Lists leave out bots and languages that the person does not want to see, whoever wrote the post. */
async function seesOwnPosts({ http }: Client, staged: { languageId: number | null } | null): Promise<boolean> {
  const { my_user: me } = await http.call({ method: 'GET', path: `${api}/site`, returns: Site })
  if (!me) return false
  const { local_user: user, person } = me.local_user_view
  if (person.bot_account === true && user.show_bot_accounts === false) return false
  const languages = me.discussion_languages ?? []
  const languageId = staged?.languageId ?? null
  return languageId === null || languages.length === 0 || languages.includes(languageId)
}

async function findComment({ http, account }: Client, sent: Sent<unknown>, postId: string): Promise<Found> {
  const search = await searchListing(sent, async (cursor) => {
    const page = Number(cursor ?? '1')
    const query = { post_id: postId, type_: 'All', sort: 'New', limit: String(pageSize), page: String(page) }
    const { comments } = await http.call({ method: 'GET', path: `${api}/comment/list`, query, returns: Comments })
    const posts = comments.map(({ comment }) => ({
      id: commentIdOf(comment.id),
      url: webUrl(comment.ap_id),
      createdAtMs: Date.parse(comment.published),
      compare: (): Match => (String(comment.creator_id) === account.id ? compareText(sent.draft.text, comment.content) : 'other'),
    }))
    return { posts, next: comments.length < pageSize ? null : String(page + 1) }
  })
  return foundInListing(search)
}
