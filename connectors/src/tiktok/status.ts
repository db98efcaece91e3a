import type { Static } from 'typebox'
import type { Client, Found, Outcome } from '../kit/connector.ts'
import { callApi } from './call-api.ts'
import { failedPost } from './errors.ts'
import { Status } from './wire.ts'

const checkAgainMs = 5_000

export function readStatus({ http }: Client, publishId: string): Promise<Static<typeof Status>> {
  return callApi(http, { path: '/v2/post/publish/status/fetch/', json: { publish_id: publishId }, returns: Status })
}

export function processingOutcome(publishId: string): Outcome {
  return { state: 'processing', reference: publishId, checkAfterMs: checkAgainMs }
}

export async function checkPost(client: Client, publishId: string): Promise<Outcome> {
  const status = await readStatus(client, publishId)
  if (status.status === 'FAILED') throw failedPost(status.fail_reason ?? 'internal')
  return status.status === 'PUBLISH_COMPLETE' ? publishedOutcome(client, publishId, status) : processingOutcome(publishId)
}

/** After a lost answer: while bytes are missing, nothing was published. A failed post is `processing` here; `check` finds the reason. */
export async function findVideo(client: Client, publishId: string, sizeBytes: number): Promise<Found> {
  const status = await readStatus(client, publishId)
  if (status.status === 'PUBLISH_COMPLETE') return publishedOutcome(client, publishId, status)
  const isWaiting = status.status === 'PROCESSING_UPLOAD' && (status.uploaded_bytes ?? 0) < sizeBytes
  return isWaiting ? { state: 'absent' } : processingOutcome(publishId)
}

/** Without a public id, the post's id is its publish_id and its URL is the profile. */
function publishedOutcome({ account }: Client, publishId: string, status: Static<typeof Status>): Outcome {
  const id = publicIdOf(status)
  const profile = `https://www.tiktok.com/@${account.handle}`
  if (id === null) return { state: 'published', postId: publishId, postUrl: profile }
  const isPhotos = publishId.startsWith('p_')
  return { state: 'published', postId: id, postUrl: `${profile}/${isPhotos ? 'photo' : 'video'}/${id}` }
}

export function publicIdOf({ publicaly_available_post_id: ids = [] }: Static<typeof Status>): string | null {
  return ids[0] === undefined ? null : String(ids[0])
}
