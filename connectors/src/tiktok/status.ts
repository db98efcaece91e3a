import { writeWarning } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Client, Found, Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { callApi } from './call-api.ts'
import { failedPost } from './errors.ts'
import { finishWithinMs, isForInbox } from './inbox.ts'
import type { Settings } from './settings.ts'
import { Status, type StagedVideo } from './wire.ts'

const checkAgainMs = 5_000
/** While the post waits in the inbox for a person. */
const checkInboxMs = 300_000

/** Ends the reference of a post for which no audience was chosen. `check` knows nothing of the draft but the reference. */
const noAudienceMark = '|no-audience'
const noAudienceWarning = writeWarning('only_author_sees', { platform: 'TikTok' })

function readStatus({ http }: Client, publishId: string): Promise<Static<typeof Status>> {
  return callApi(http, { path: '/v2/post/publish/status/fetch/', json: { publish_id: publishId }, returns: Status })
}

/** What the server stores until the post is published: the publish_id, and whether `check` has to warn. */
export function processingOutcome(publishId: string, settings: Pick<Settings, 'privacyLevel' | 'delivery'>): Outcome {
  if (isForInbox(settings)) return { state: 'processing', reference: publishId, checkAfterMs: checkAgainMs, finishWithinMs }
  const reference = settings.privacyLevel === undefined ? publishId + noAudienceMark : publishId
  return { state: 'processing', reference, checkAfterMs: checkAgainMs }
}

export async function checkPost(client: Client, reference: string): Promise<Outcome> {
  const publishId = publishIdOf(reference)
  const status = await readStatus(client, publishId).catch((error: unknown) => {
    throw isRefusal(error) ? forgottenPost(error) : error
  })
  if (status.status === 'FAILED') throw failedPost(status.fail_reason ?? 'internal')
  if (status.status === 'PUBLISH_COMPLETE') return publishedOutcome(client, reference, status)
  return { state: 'processing', reference, checkAfterMs: status.status === 'SEND_TO_USER_INBOX' ? checkInboxMs : checkAgainMs }
}

/** After a lost answer: while bytes are missing, nothing was published. A failed post is `processing` here; `check` finds the reason. */
export async function findVideo(
  client: Client,
  { publishId, sizeBytes }: Static<typeof StagedVideo>,
  settings: Pick<Settings, 'privacyLevel' | 'delivery'>,
): Promise<Found> {
  const status = await readStatus(client, publishId)
  const processing = processingOutcome(publishId, settings)
  if (status.status === 'PUBLISH_COMPLETE' && processing.state === 'processing')
    return publishedOutcome(client, processing.reference, status)
  if (status.status !== 'PROCESSING_UPLOAD') return processing
  if (sizeBytes === undefined) return { state: 'unknown' }
  return (status.uploaded_bytes ?? 0) < sizeBytes ? { state: 'absent', proof: 'reference' } : processing
}

/** Without a public id, the post's id is its publish_id and its URL is the profile. */
function publishedOutcome({ account }: Client, reference: string, status: Static<typeof Status>): Outcome {
  const publishId = publishIdOf(reference)
  const warnings = reference.endsWith(noAudienceMark) ? [noAudienceWarning] : []
  const id = publicIdOf(status)
  const profile = `https://www.tiktok.com/@${account.handle}`
  if (id === null) return { state: 'published', postId: publishId, postUrl: profile, warnings }
  const isPhotos = publishId.startsWith('p_')
  return { state: 'published', postId: id, postUrl: `${profile}/${isPhotos ? 'photo' : 'video'}/${id}`, warnings }
}

function publishIdOf(reference: string): string {
  return reference.endsWith(noAudienceMark) ? reference.slice(0, -noAudienceMark.length) : reference
}

function publicIdOf({ publicaly_available_post_id: ids = [] }: Static<typeof Status>): string | null {
  return ids[0] === undefined ? null : String(ids[0])
}

/** The public id of a post whose id may be its publish_id; null while there is none. */
export async function readPublicId(client: Client, postId: string): Promise<string | null> {
  if (/^\d+$/.test(postId)) return postId
  try {
    return publicIdOf(await readStatus(client, postId))
  } catch (error) {
    // TikTok forgets a publish_id after some time. The post then has no public id that could be read, which is not an error.
    if (isRefusal(error)) return null
    throw error
  }
}

function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.kind === 'rejected'
}

/** That TikTok refuses the question tells nothing about the post, which it had accepted. */
function forgottenPost(cause: PlatformError): PlatformError {
  const message = 'TikTok accepted the post and no longer tells what became of it.'
  return new PlatformError({ kind: 'unknown', platformCode: cause.platformCode, message, cause })
}
