import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Draft, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import type { Settings } from './settings.ts'
import { describeVideo, readVideo, videoUrl, type Note } from './status.ts'
import { readProgress, videoTitle } from './upload.ts'
import { StagedVideo, Threads, Uploads } from './wire.ts'

/**
 * The upload itself tells whether its last byte arrived. For how long it tells that a video is complete is not documented, so an upload that
 * is not known any more proves nothing: the videos of the channel are searched.
 */
export async function findPost(client: Client, sent: Sent<Settings>): Promise<Found> {
  const { draft, staged } = sent
  if (draft.replyTo) return findComment(client, draft.replyTo.postId, sent)
  if (Value.Check(StagedVideo, staged)) {
    const progress = await readProgress(client.http, staged)
    if (progress.state === 'partial') return { state: 'absent', proof: 'reference' }
    if (progress.state === 'complete') return describeFound(client, progress.videoId, draft.settings)
  }
  const found = foundInListing(await searchUploads(client, sent))
  // A new video may be missing from the list.
  return found.state === 'published' ? describeFound(client, found.postId, draft.settings) : { state: 'unknown' }
}

/** What follows the last byte was not done, or nobody knows. */
async function describeFound(client: Client, videoId: string, { privacy, playlistId }: Settings): Promise<Found> {
  const notes: Note[] = playlistId === undefined ? [] : ['playlist_refused']
  return describeVideo(client, { videoId, privacy, notes }, await readVideo(client, videoId))
}

/** The uploads of a channel are a playlist, private ones included. Its id differs from that of the channel in the second letter. */
function searchUploads({ http, account }: Client, sent: Sent<Settings>) {
  const playlistId = account.id.replace(/^UC/, 'UU')
  return searchListing(sent, async (cursor) => {
    const query = { part: 'snippet,contentDetails', playlistId, maxResults: '50', pageToken: cursor ?? undefined }
    const { items, nextPageToken } = await http.call({
      method: 'GET',
      path: '/youtube/v3/playlistItems',
      query,
      returns: Uploads,
    })
    const posts = items.map(({ snippet, contentDetails: { videoId } }) => ({
      id: videoId,
      url: videoUrl(videoId),
      createdAtMs: snippet.publishedAt === undefined ? null : Date.parse(snippet.publishedAt),
      compare: () => compareVideo(sent.draft, snippet),
    }))
    return { posts, next: nextPageToken ?? null }
  })
}

/** Both the title and the description must be ours. A title that was made of the file's name is not known any more. */
export function compareVideo(
  draft: Pick<Draft, 'title' | 'text'>,
  { title = '', description = '' }: { title?: string; description?: string },
): Match {
  const wanted = videoTitle(draft)
  if (wanted !== null && compareText(wanted, title) === 'other') return 'other'
  return compareText(draft.text, description)
}

/** Other people's comments are in the list too. */
async function findComment({ http, account }: Client, videoId: string, sent: Sent<Settings>): Promise<Found> {
  const search = await searchListing(sent, async (cursor) => {
    const paging = { order: 'time', maxResults: '50', pageToken: cursor ?? undefined }
    const query = { part: 'snippet', textFormat: 'plainText', videoId, ...paging }
    const { items, nextPageToken } = await http.call({
      method: 'GET',
      path: '/youtube/v3/commentThreads',
      query,
      returns: Threads,
    })
    const posts = items
      .map(({ id, snippet }) => ({ id, ...snippet.topLevelComment.snippet }))
      .filter(({ authorChannelId }) => authorChannelId?.value === undefined || authorChannelId.value === account.id)
      .map(({ id, textOriginal, textDisplay = '', publishedAt }) => ({
        id,
        url: null,
        createdAtMs: Date.parse(publishedAt),
        compare: () => compareText(sent.draft.text, textOriginal ?? textDisplay),
      }))
    return { posts, next: nextPageToken ?? null }
  })
  return foundInListing(search)
}
