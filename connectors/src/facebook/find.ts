import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { nextCursor } from '../meta/paging.ts'
import { asPage, pathOf, urlOf } from './page.ts'
import { findVideo } from './video.ts'
import { Comments, Posts, StagedPhotos, StagedVideo, Stories } from './wire.ts'

/** A video has an id whose state can be read. Everything else is searched for among the newest posts of the page. */
export async function findPost(client: Client, sent: Sent<unknown>): Promise<Found> {
  const { draft, staged } = sent
  if (draft.replyTo) return findComment(client, draft.replyTo.postId, sent)
  if (Value.Check(StagedVideo, staged)) return findVideo(client, staged.videoId, draft)
  if (draft.format === 'story')
    return Value.Check(StagedPhotos, staged) ? findStory(client, staged.photoIds[0] ?? '') : { state: 'unknown' }
  const found = await searchPosts(client, sent)
  // A video is listed once it is converted, so a missing one may still come.
  const isVideo = draft.format === 'video' || draft.format === 'short_video'
  return found.state === 'absent' && isVideo ? { state: 'unknown' } : found
}

async function searchPosts(client: Client, sent: Sent<unknown>): Promise<Found> {
  const http = asPage(client)
  const path = pathOf(client.account.id, '/published_posts')
  const search = await searchListing(sent, async (cursor) => {
    const fields = 'id,message,created_time,permalink_url,attachments{unshimmed_url}'
    const query = { fields, limit: '50', after: cursor ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path, query, returns: Posts })
    const posts = data.map((post) => ({
      id: post.id,
      url: post.permalink_url ?? urlOf(post.id),
      createdAtMs: Date.parse(post.created_time),
      compare: () => comparePost(sent.draft, post),
    }))
    return { posts, next: nextCursor(paging) }
  })
  return foundInListing(search)
}

type ListedPost = Pick<Static<typeof Posts>['data'][number], 'message' | 'attachments'>

/** The link of a post without media is in its card, not in its text. */
export function comparePost({ format, text, linkUrl }: Pick<Draft, 'format' | 'text' | 'linkUrl'>, shown: ListedPost): Match {
  const match = compareText(text, shown.message ?? '')
  if (match === 'other' || format !== 'text') return match
  const link = shown.attachments?.data[0]?.unshimmed_url
  if (linkUrl === null) return link === undefined || text.includes(link) ? match : 'maybe'
  return link === linkUrl && (match === 'same' || text === '') ? 'same' : 'maybe'
}

/** Stories are listed with their photo. Old ones are in the list only if the page keeps an archive, so a missing one proves nothing. */
export async function findStory(client: Client, photoId: string): Promise<Found> {
  const path = pathOf(client.account.id, '/stories')
  const { data } = await asPage(client).call({ method: 'GET', path, query: { limit: '50' }, returns: Stories })
  const story = data.find(({ media_id: id }) => id === photoId)
  return story ? { state: 'published', postId: story.post_id, postUrl: story.url ?? urlOf(story.post_id) } : { state: 'unknown' }
}

/** Comments of other people are in the list too, and its order is not documented. */
async function findComment(client: Client, postId: string, sent: Sent<unknown>): Promise<Found> {
  const http = asPage(client)
  const readPage = async (cursor: string | null) => {
    const query = { filter: 'stream', fields: 'id,message,created_time,from', limit: '50', after: cursor ?? undefined }
    const { data, paging } = await http.call({ method: 'GET', path: pathOf(postId, '/comments'), query, returns: Comments })
    const own = data.filter(({ from }) => from === undefined || from.id === client.account.id)
    const posts = own.map(({ id, message = '', created_time: time }) => ({
      id,
      url: null,
      createdAtMs: Date.parse(time),
      compare: () => compareText(sent.draft.text, message),
    }))
    return { posts, next: nextCursor(paging) }
  }
  return foundInListing(await searchListing(sent, readPage, { isNewestFirst: false }))
}
