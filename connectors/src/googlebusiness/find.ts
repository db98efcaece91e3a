import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { foundInListing, isPastWindow, searchListing } from '../kit/search-listing.ts'
import { describePost } from './content.ts'
import type { Settings } from './settings.ts'
import { idOf, outcomeOf, postsPath } from './state.ts'
import { type LocalPost, LocalPosts } from './wire.ts'

/** The most that Google lists at once. */
const pageSize = 100

/** Google keeps nothing of ours with a post, so the posts of the location are compared. Those in review are in the list, too. */
export async function findPost(client: Client, sent: Sent<Settings>): Promise<Found> {
  const listed = new Map<string, LocalPost>()
  const search = await searchListing(
    sent,
    async (pageToken) => {
      const query = { pageSize: String(pageSize), pageToken: pageToken ?? undefined }
      const call = { method: 'GET', path: postsPath(client), query } as const
      const { localPosts = [], nextPageToken } = await client.http.call({ ...call, returns: LocalPosts })
      const posts = localPosts.map((post) => {
        const id = idOf(post)
        listed.set(id, post)
        return { id, url: post.searchUrl ?? null, createdAtMs: timeOf(post), compare: () => comparePost(sent.draft, post) }
      })
      const isOver = !nextPageToken || isPastWindow(posts, { pageSize, fromMs: sent.window.fromMs })
      return { posts, next: isOver ? null : nextPageToken }
    },
    // The order is documented nowhere.
    { isNewestFirst: false },
  )
  // An empty list is left out of an answer, so one that says nothing at all looks the same.
  if (listed.size === 0) return { state: 'unknown' }
  const found = foundInListing(search)
  const post = found.state === 'published' ? listed.get(found.postId) : undefined
  return post ? { ...outcomeOf(post, client.http.nowMs()), byWords: true } : found
}

function timeOf({ createTime }: LocalPost): number | null {
  return createTime === undefined ? null : Date.parse(createTime)
}

/** Kind, title, text and link must be ours. A photo may be missing while Google still fetches it. */
function comparePost(draft: Draft<Settings>, post: LocalPost): Match {
  const ours = describePost(draft, null)
  if (post.topicType !== undefined && post.topicType !== ours.topicType) return 'other'
  if (draft.format === 'text' && (post.media?.length ?? 0) > 0) return 'other'
  const [title, shownTitle] = [ours.event?.title ?? '', post.event?.title ?? '']
  if (title !== shownTitle && compareText(title, shownTitle) !== 'same') return 'other'
  const words = compareText(draft.text, post.summary ?? '')
  if (words === 'other') return 'other'
  return linkOf(ours) === linkOf(post) ? words : 'maybe'
}

type Linked = { callToAction?: { url?: string }; offer?: { redeemOnlineUrl?: string } }

function linkOf({ callToAction, offer }: Linked): string | null {
  return callToAction?.url ?? offer?.redeemOnlineUrl ?? null
}
