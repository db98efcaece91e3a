import type { Static } from 'typebox'
import { compareText, isFarLonger, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { plainText } from './little-text.ts'
import { encodeUrn, isPage, postUrlOf, restHeaders } from './rest.ts'
import { Comments, Posts } from './wire.ts'

const postsPerPage = 50
const commentsPerPage = 100

/** Searches the posts of a page. A person's posts cannot be read, so for them the answer is `unknown`. */
export async function findAmongRecent(client: Client, sent: Sent<unknown>): Promise<Found> {
  if (!isPage(client.account.id)) return { state: 'unknown' }
  if (sent.draft.replyTo) return findComment(client, sent.draft.replyTo.postId, sent)
  const headers = { ...restHeaders, 'X-RestLi-Method': 'FINDER' }
  const search = await searchListing(sent, async (cursor) => {
    const page = { start: cursor ?? '0', count: String(postsPerPage) }
    const query = { q: 'author', author: client.account.id, sortBy: 'CREATED', ...page }
    const { elements } = await client.http.call({ method: 'GET', path: '/rest/posts', query, headers, returns: Posts })
    const posts = elements.map((post) => ({
      id: post.id,
      url: postUrlOf(post.id),
      createdAtMs: post.publishedAt ?? post.createdAt ?? null,
      compare: () => comparePost(sent.draft, post),
    }))
    return { posts, next: nextStart(page.start, elements.length, postsPerPage) }
  })
  return foundInListing(search)
}

const mentionLengthMax = '@[](urn:li:organization:)'.padEnd(50)

type ListedShare = Pick<Static<typeof Posts>['elements'][number], 'commentary' | 'content'>

/** The link of a post without media is in its card, not in its text. */
export function comparePost(draft: Pick<Draft, 'format' | 'text' | 'linkUrl'>, { commentary = '', content }: ListedShare): Match {
  // Escapes can double the length of a commentary, and each mention names its organisation.
  const longest = draft.text + draft.text.replaceAll('@', mentionLengthMax)
  if (isFarLonger(commentary, longest)) return 'other'
  const match = compareText(draft.text, plainText(commentary))
  if (match === 'other' || draft.format !== 'text' || draft.linkUrl === null) return match
  const isSameLink = content?.article?.source === draft.linkUrl
  return isSameLink && (match === 'same' || draft.text === '') ? 'same' : 'maybe'
}

async function findComment({ http, account }: Client, postId: string, sent: Sent<unknown>): Promise<Found> {
  const path = `/rest/socialActions/${encodeUrn(postId)}/comments`
  const readPage = async (cursor: string | null) => {
    const query = { start: cursor ?? '0', count: String(commentsPerPage) }
    const { elements } = await http.call({ method: 'GET', path, query, headers: restHeaders, returns: Comments })
    const posts = elements.flatMap(({ commentUrn, actor, message, created }) => {
      if (actor !== account.id || commentUrn === undefined) return []
      const compare = () => compareText(sent.draft.text, message.text ?? '')
      return [{ id: commentUrn, url: postUrlOf(postId), createdAtMs: created?.time ?? null, compare }]
    })
    return { posts, next: nextStart(query.start, elements.length, commentsPerPage) }
  }
  // The order of comments is not documented.
  return foundInListing(await searchListing(sent, readPage, { isNewestFirst: false }))
}

/** A page with fewer entries than requested is the last one. */
function nextStart(start: string, found: number, perPage: number): string | null {
  return found < perPage ? null : String(Number(start) + found)
}
