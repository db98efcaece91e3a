import { writeWarning } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Client, Draft, Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { findStory } from './find.ts'
import { asPage, pathOf, urlOf } from './page.ts'
import { edgeOf } from './upload.ts'
import { processingOutcome } from './video.ts'
import { CreatedObject, CreatedPost, CreatedStory, type StagedVideo } from './wire.ts'

/** A text, a link of which Facebook makes a card, or photos that were uploaded before. */
export async function publishPost(
  client: Client,
  { text, linkUrl, media }: Draft<unknown>,
  photoIds: readonly string[],
): Promise<Outcome> {
  const json = {
    ...(text !== '' && { message: text }),
    ...(linkUrl !== null && media.length === 0 && { link: linkUrl }),
    ...(photoIds.length > 0 && { attached_media: photoIds.map((id) => ({ media_fbid: id })) }),
  }
  const path = pathOf(client.account.id, '/feed')
  const query = { fields: 'id,permalink_url' }
  const { id, permalink_url: url } = await asPage(client).call({ method: 'POST', path, query, json, returns: CreatedPost })
  return { state: 'published', postId: id, postUrl: url ?? urlOf(id) }
}

export async function publishPhotoStory(client: Client, { text }: Draft<unknown>, photoId: string): Promise<Outcome> {
  const path = pathOf(client.account.id, '/photo_stories')
  const { success, post_id: postId } = await asPage(client).call({
    method: 'POST',
    path,
    form: { photo_id: photoId },
    returns: CreatedStory,
  })
  if (!success || postId === undefined) throw unclear()
  // Only the list of stories has the address.
  const found = await findStory(client, photoId).catch(() => null)
  const warnings = text === '' ? [] : [writeWarning('story_without_text', { platform: 'Facebook' })]
  return { state: 'published', postId, postUrl: found?.state === 'published' ? found.postUrl : urlOf(postId), warnings }
}

/** Publishes an uploaded video. Facebook converts it first, so that it is not visible yet. */
export async function publishVideo(
  client: Client,
  draft: Draft<unknown>,
  { videoId, sessionId }: Static<typeof StagedVideo>,
): Promise<Outcome> {
  const { format, text, title } = draft
  const form = {
    upload_phase: 'finish',
    ...(sessionId === null ? { video_id: videoId } : { upload_session_id: sessionId }),
    ...(format === 'short_video' && { video_state: 'PUBLISHED' }),
    ...(format !== 'story' && text !== '' && { description: text }),
    ...(format !== 'story' && title && { title }),
  }
  const path = pathOf(client.account.id, edgeOf(format))
  const { success } = await asPage(client).call({ method: 'POST', path, form, returns: CreatedStory })
  if (!success) throw unclear()
  return processingOutcome(videoId, draft)
}

/** Not all servers of Facebook know a new post in its first seconds. If it was removed, the last attempt says so. */
const commentWaitsMs = [5_000, 10_000, 30_000, 60_000, 300_000]

export async function publishComment(client: Client, postId: string, text: string): Promise<Outcome> {
  try {
    const path = pathOf(postId, '/comments')
    const { id } = await asPage(client).call({ method: 'POST', path, form: { message: text }, returns: CreatedObject })
    return { state: 'published', postId: id, postUrl: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const { platformCode } = error
    const refused = { kind: 'rejected', platformCode, cause: error } as const
    if (error.kind === 'gone')
      throw new PlatformError({ ...refused, ...because('not_found'), isTemporary: true, waitsMs: commentWaitsMs })
    // Comments have a permission of their own. The page and its posts are not concerned.
    if (error.reason === 'permission_missing') throw new PlatformError({ ...refused, ...because('permission_missing') })
    throw error
  }
}

function unclear(): PlatformError {
  return new PlatformError({ kind: 'unknown', platformCode: null, message: 'Facebook did not say whether it published this.' })
}
