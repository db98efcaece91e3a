import type { Static } from 'typebox'
import type { Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { uploadTimeoutMs } from '../kit/read-media.ts'
import { streamMultipart } from '../kit/stream-multipart.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { Attachment, type StagedPost } from './wire.ts'

const checkAgainMs = 5_000

type StagedMedia = Static<typeof StagedPost>['media'][number]

export async function uploadMedia(http: Http, media: Media): Promise<StagedMedia> {
  const { body, mimeType, sizeBytes } = await streamMultipart('file', media, media.alt === '' ? {} : { description: media.alt })
  const { id, url } = await http.call({
    method: 'POST',
    path: '/api/v2/media',
    bytes: { body, mimeType },
    headers: { 'content-length': String(sizeBytes) },
    timeoutMs: uploadTimeoutMs(sizeBytes),
    returns: Attachment,
  })
  return { id, isReady: url !== null }
}

/** A status with an unfinished file is refused without a code, so the state of the file is read first. */
export async function ensureReady(http: Http, { id, isReady }: StagedMedia): Promise<void> {
  if (isReady) return
  const { url } = await http.call({ method: 'GET', path: `/api/v1/media/${encodeURIComponent(id)}`, returns: Attachment })
  if (url !== null) return
  throw new PlatformError({
    kind: 'unavailable',
    platformCode: 'media_processing',
    ...because('file_processing'),
    retryAfterMs: checkAgainMs,
  })
}
