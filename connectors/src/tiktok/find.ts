import type { Client, Draft, Found, Handle } from '../kit/connector.ts'
import { isSince } from '../kit/is-since.ts'
import { callApi } from './call-api.ts'
import { Videos } from './wire.ts'

/** TikTok returns about this many characters of a description. */
const comparedLength = 140

/** Searches the account's public posts for a photo post. Private posts are not listed, so the answer is never `absent`. */
export async function findPhotos({ http }: Client, draft: Draft<unknown>, handle: Handle): Promise<Found> {
  const wanted = startOf(draft.text)
  if (wanted === '') return { state: 'unknown' }
  const query = { fields: 'id,title,video_description,share_url,create_time' }
  const { videos } = await callApi(http, { path: '/v2/video/list/', query, json: { max_count: 20 }, returns: Videos })
  const post = videos.find(({ title, video_description: description, create_time: seconds = 0 }) => {
    return isSince(seconds * 1000, handle) && [description, title].some((text) => text !== undefined && startOf(text) === wanted)
  })
  return post ? { state: 'published', postId: post.id, postUrl: post.share_url ?? null } : { state: 'unknown' }
}

function startOf(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().slice(0, comparedLength)
}
