import type { Static } from 'typebox'
import type { Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { uploadFile } from '../mastodon-api/calls.ts'
import { Attachment, type StagedPost } from '../mastodon-api/wire.ts'
import { because } from './errors.ts'

const checkAgainMs = 5_000

type StagedMedia = Static<typeof StagedPost>['media'][number]

export async function uploadMedia(http: Http, media: Media): Promise<StagedMedia> {
  const { id, url } = await uploadFile(http, media, Attachment)
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
