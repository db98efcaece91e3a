import { Value } from 'typebox/value'
import { compareText, type Match } from '../kit/compare-text.ts'
import type { Client, Found, Sent } from '../kit/connector.ts'
import { foundInListing, searchListing } from '../kit/search-listing.ts'
import { callApi } from './call-api.ts'
import { isForInbox } from './inbox.ts'
import type { Settings } from './settings.ts'
import { findVideo, readPublicId } from './status.ts'
import { StagedVideo, Videos } from './wire.ts'

/** TikTok returns about this many characters of a description. */
const shownLength = 140

/** A publish_id of another channel whose public id must be looked up costs a call, so there is a limit. */
const lookupsMax = 20

/** A video has a publish_id whose state can be read. Photos, and a video whose publish_id was forgotten, are searched for. */
export async function findPost(client: Client, sent: Sent<Settings>): Promise<Found> {
  const { draft, staged } = sent
  if (Value.Check(StagedVideo, staged)) return findVideo(client, staged, draft.settings)
  // A person may have given it other words, or none, or made several posts of it.
  if (isForInbox(draft.settings)) return { state: 'unknown' }
  const found = await searchPublicPosts(client, sent)
  if (found.state !== 'published') return { state: 'unknown' }
  return (await isOfAnotherChannel(client, found.postId, sent.knownPostIds)) ? { state: 'unknown' } : found
}

/** The listing has public ids. A channel that was published before moderation has only its publish_id. */
async function isOfAnotherChannel(client: Client, publicId: string, knownPostIds: ReadonlySet<string>): Promise<boolean> {
  const publishIds = [...knownPostIds].filter((id) => !/^\d+$/.test(id))
  if (publishIds.length > lookupsMax) return true
  for (const publishId of publishIds) if ((await readPublicId(client, publishId)) === publicId) return true
  return false
}

/** Only public posts are listed, and only after moderation, so a missing post may still exist. */
async function searchPublicPosts({ http }: Client, sent: Sent<Settings>): Promise<Found> {
  const query = { fields: 'id,title,video_description,share_url,create_time' }
  const search = await searchListing(sent, async (cursor) => {
    const json = { max_count: 20, ...(cursor !== null && { cursor: Number(cursor) }) }
    const page = await callApi(http, { path: '/v2/video/list/', query, json, returns: Videos })
    const posts = page.videos.map(({ id, title, video_description: description, share_url: url, create_time: seconds }) => ({
      id,
      url: url ?? null,
      createdAtMs: seconds === undefined ? null : seconds * 1000,
      compare: () => compareDescription(sent.draft.text, description ?? title ?? ''),
    }))
    return { posts, next: page.has_more === true && page.cursor !== undefined ? String(page.cursor) : null }
  })
  return foundInListing(search)
}

/** Of a long text only the beginning is shown, and the rest may differ. */
export function compareDescription(sent: string, shown: string): Match {
  if (sent.length <= shownLength) return compareText(sent, shown)
  return compareText(sent.slice(0, shownLength), shown.slice(0, shownLength)) === 'other' ? 'other' : 'maybe'
}
