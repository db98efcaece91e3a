import { writeWarning } from '@carillon/contract'
import type { Static } from 'typebox'
import type { Client, Draft, Found, Outcome } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { failedVideo } from './errors.ts'
import { absoluteUrl, asPage, pathOf, urlOf } from './page.ts'
import { Video } from './wire.ts'

const checkAfterMs = 5_000

/** Ends the reference of a story whose text is left out. `check` knows nothing of the draft but the reference. */
const noTextMark = '|no-text'

export function processingOutcome(
  videoId: string,
  { format, text }: Pick<Draft, 'format' | 'text'>,
): Outcome & { state: 'processing' } {
  const reference = format === 'story' && text !== '' ? videoId + noTextMark : videoId
  return { state: 'processing', reference, checkAfterMs }
}

export async function checkVideo(client: Client, reference: string): Promise<Outcome> {
  const video = await readVideo(client, idOf(reference))
  if (isPublished(video)) return publishedOutcome(client, reference, video)
  const { video_status: state, uploading_phase, processing_phase, publishing_phase } = video.status
  const failed = [uploading_phase, processing_phase, publishing_phase].find((phase) => phase?.status === 'error')
  if (failed || state === 'error' || state === 'upload_failed' || state === 'expired')
    throw failedVideo(failed?.error?.code ?? failed?.errors?.[0]?.code)
  return { state: 'processing', reference, checkAfterMs }
}

/**
 * After a lost answer: a video that waits for nothing but the call to publish it was not published. Facebook may convert a video before that
 * call, so any other state is left to `check`.
 */
export async function findVideo(client: Client, videoId: string, draft: Pick<Draft, 'format' | 'text'>): Promise<Found> {
  const processing = processingOutcome(videoId, draft)
  try {
    const video = await readVideo(client, videoId)
    if (isPublished(video)) return publishedOutcome(client, processing.reference, video)
    return isUntouched(video) ? { state: 'absent', proof: 'reference' } : processing
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'gone') return { state: 'unknown' }
    throw error
  }
}

function readVideo(client: Client, videoId: string): Promise<Static<typeof Video>> {
  const query = { fields: 'status,permalink_url,post_id' }
  return asPage(client).call({ method: 'GET', path: pathOf(videoId), query, returns: Video })
}

function isPublished({ status: { publishing_phase: phase } }: Static<typeof Video>): boolean {
  return phase?.publish_status === 'published'
}

function isUntouched({ status }: Static<typeof Video>): boolean {
  const isIdle = (phase: { status?: string } | undefined) => phase?.status === 'not_started'
  const isWaiting = status.video_status === 'uploading' || status.video_status === 'upload_complete'
  return isWaiting && isIdle(status.processing_phase) && isIdle(status.publishing_phase)
}

/** Where Facebook does not name the post of a video, that of the page and the video is the same one. */
function publishedOutcome(
  { account }: Client,
  reference: string,
  { permalink_url: url, post_id: id }: Static<typeof Video>,
): Outcome {
  const postId = id ?? `${account.id}_${idOf(reference)}`
  const warnings = reference.endsWith(noTextMark) ? [writeWarning('story_without_text', { platform: 'Facebook' })] : []
  return { state: 'published', postId, postUrl: url === undefined ? urlOf(postId) : absoluteUrl(url), warnings }
}

function idOf(reference: string): string {
  return reference.split('|')[0] ?? ''
}
