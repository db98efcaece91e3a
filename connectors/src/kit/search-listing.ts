import type { Match } from './compare-text.ts'
import type { Found, Outcome, Sent } from './connector.ts'

/** Each page costs a call of the account's rate limit, and a window that needs more pages than this is rare. */
const pagesMax = 5

/** The platform's clock may be ahead of ours by this much. */
const clockToleranceMs = 60_000

/** A post as the platform lists it. */
type ListedPost = {
  id: string
  url: string | null
  /** Null or NaN if the platform does not say, or says it in a way that cannot be read. */
  createdAtMs: number | null
  compare(): Match
}

/** `next` is what the next page is requested with; null after the last page. */
export type ListingPage = { posts: readonly ListedPost[]; next: string | null }

/** `isComplete`: the listing covers the whole window. */
export type Search = { candidates: readonly (ListedPost & { match: Match })[]; isComplete: boolean }

type Options = { isNewestFirst?: boolean }

/** Reads a listing until it covers the window, and returns the posts that may be the one that was sent. */
export async function searchListing(
  { window, knownPostIds }: Pick<Sent, 'window' | 'knownPostIds'>,
  readPage: (cursor: string | null) => Promise<ListingPage>,
  { isNewestFirst = true }: Options = {},
): Promise<Search> {
  const candidates = new Map<string, Search['candidates'][number]>()
  const isInWindow = (atMs: number) => atMs >= window.fromMs && atMs <= window.untilMs + clockToleranceMs
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page++) {
    const { posts, next }: ListingPage = await readPage(cursor)
    for (const post of posts) {
      const atMs = timeOf(post)
      const isPossible = !knownPostIds.has(post.id) && (atMs === null || isInWindow(atMs))
      const match = isPossible ? post.compare() : 'other'
      // An equal post without a time may be an older one.
      if (match !== 'other') candidates.set(post.id, { ...post, match: atMs === null && match === 'same' ? 'maybe' : match })
    }
    // The last post decides: a pinned post may stand first although it is old.
    const last = posts.at(-1)
    const oldestMs = last ? timeOf(last) : null
    const hasPassedWindow = isNewestFirst && oldestMs !== null && oldestMs < window.fromMs
    if (next === null || hasPassedWindow) return { candidates: [...candidates.values()], isComplete: true }
    cursor = next
  }
  return { candidates: [...candidates.values()], isComplete: false }
}

/** Null also for a time that cannot be read. */
function timeOf({ createdAtMs }: ListedPost): number | null {
  return Number.isFinite(createdAtMs) ? createdAtMs : null
}

/**
 * For a list whose order is documented nowhere: a whole page whose times only go back, and end before the window, has the newest first. So
 * no later page has the post.
 */
export function isPastWindow(
  posts: readonly { createdAtMs: number | null }[],
  { pageSize, fromMs }: { pageSize: number; fromMs: number },
): boolean {
  const times = posts.map(({ createdAtMs }) => createdAtMs ?? Number.NaN)
  const isOrdered = times.length === pageSize && times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0))
  return isOrdered && (times.at(-1) ?? fromMs) < fromMs
}

/**
 * What a search proves. A post with our key is ours. Of those with our words only a single, certain candidate in a complete listing is ours; a
 * doubt is `unknown`.
 */
export function foundInListing({ candidates, isComplete }: Search): Found {
  const own = candidates.find(({ match }) => match === 'own')
  if (own) return publishedAs(own)
  const [post, ...others] = candidates
  if (!isComplete || others.length > 0) return { state: 'unknown' }
  if (!post) return { state: 'absent', proof: 'listing' }
  return post.match === 'same' ? { ...publishedAs(post), byWords: true } : { state: 'unknown' }
}

/** The same when the platform has said that the post was published: a doubtful candidate is ours if it is the only one. */
export function foundOfPublished({ candidates, isComplete }: Search): Found {
  const [post, ...others] = candidates
  return isComplete && post && others.length === 0 ? { ...publishedAs(post), byWords: true } : { state: 'unidentified' }
}

function publishedAs({ id, url }: ListedPost): Outcome {
  return { state: 'published', postId: id, postUrl: url }
}
