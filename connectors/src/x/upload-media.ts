import type { Static } from 'typebox'
import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import type { Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because } from './errors.ts'
import { AnyBody, type StagedPost, Upload } from './wire.ts'

const chunkBytesMin = 4_000_000
const chunksMax = 1000
const checkAgainSeconds = 5

type StagedMedia = Static<typeof StagedPost>['media'][number]

/** Uploads one file with its alt text. Safe to repeat: an upload that no post refers to expires by itself. */
export async function uploadMedia(http: Http, media: Media): Promise<StagedMedia> {
  const isPlainImage = media.kind === 'image' && media.mimeType !== 'image/gif'
  const { data } = isPlainImage ? await uploadImage(http, media) : await uploadInChunks(http, media)
  const isAltLost = media.alt !== '' && media.kind === 'image' && !(await describe(http, data.id, media.alt))
  const isReady = data.processing_info === undefined || data.processing_info.state === 'succeeded'
  return { id: data.id, isReady, ...(isAltLost && { isAltLost }) }
}

/** False if X refuses the alt text. That is no reason not to publish the picture: the post then has a warning. */
async function describe(http: Http, id: string, alt: string): Promise<boolean> {
  const json = { id, metadata: { alt_text: { text: alt } } }
  try {
    await http.call({ method: 'POST', path: '/2/media/metadata', json, returns: AnyBody })
    return true
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'rejected' || error.kind === 'gone') && !error.isTemporary) return false
    throw error
  }
}

async function uploadImage(http: Http, media: Media): Promise<Static<typeof Upload>> {
  const multipart = new FormData()
  multipart.set('media', new Blob([await readMedia(media)], { type: media.mimeType }), media.name)
  multipart.set('media_category', 'tweet_image')
  const timeoutMs = uploadTimeoutMs(media.sizeBytes)
  return http.call({ method: 'POST', path: '/2/media/upload', multipart, timeoutMs, returns: Upload })
}

async function uploadInChunks(http: Http, media: Media): Promise<Static<typeof Upload>> {
  const category = media.kind === 'video' ? 'tweet_video' : 'tweet_gif'
  const json = { media_type: media.mimeType, total_bytes: media.sizeBytes, media_category: category }
  const { data } = await http.call({ method: 'POST', path: '/2/media/upload/initialize', json, returns: Upload })
  const path = `/2/media/upload/${encodeURIComponent(data.id)}`

  let segment = 0
  const chunkBytes = Math.max(chunkBytesMin, Math.ceil(media.sizeBytes / chunksMax))
  for await (const chunk of splitIntoChunks(await streamMedia(media), chunkBytes)) {
    const multipart = new FormData()
    multipart.set('segment_index', String(segment))
    multipart.set('media', new Blob([chunk]), media.name)
    const timeoutMs = uploadTimeoutMs(chunk.length)
    await http.call({ method: 'POST', path: `${path}/append`, multipart, timeoutMs, returns: AnyBody })
    segment += 1
  }
  return finalize(http, path)
}

/**
 * X may answer a part without a body, so a lost part shows only here: X then refuses the file. It is uploaded again, and refused for good
 * only if that does not help.
 */
async function finalize(http: Http, path: string): Promise<Static<typeof Upload>> {
  try {
    return await http.call({ method: 'POST', path: `${path}/finalize`, returns: Upload })
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error
    const { platformCode, message, platformMessage } = error
    const reason = error.reason ?? undefined
    throw new PlatformError({ kind: 'rejected', platformCode, message, reason, platformMessage, isTemporary: true, cause: error })
  }
}

/** A video is converted after the upload. X refuses a post that uses it before that is done. */
export async function ensureReady(http: Http, { id, isReady }: StagedMedia): Promise<void> {
  if (isReady) return
  const query = { command: 'STATUS', media_id: id }
  const { data } = await http.call({ method: 'GET', path: '/2/media/upload', query, returns: Upload })
  const { state = 'succeeded', check_after_secs: waitSeconds = checkAgainSeconds } = data.processing_info ?? {}
  if (state === 'succeeded') return
  if (state === 'failed') {
    throw new PlatformError({ kind: 'rejected', platformCode: 'media-failed', ...because('file_unprocessed') })
  }
  throw new PlatformError({
    kind: 'unavailable',
    platformCode: 'media-processing',
    ...because('file_processing'),
    retryAfterMs: waitSeconds * 1000,
  })
}
