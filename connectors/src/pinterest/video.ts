import type { Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { because } from './errors.ts'
import { AnyBody, MediaState, Registered } from './wire.ts'

/** Safe to repeat: nobody sees a video before a pin shows it. */
export async function uploadVideo(http: Http, video: Media): Promise<string> {
  const json = { media_type: 'video' }
  const registered = await http.call({ method: 'POST', path: '/v5/media', json, returns: Registered })
  const fields = Object.entries(registered.upload_parameters).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  const upload = uploadOf(await streamMultipart('file', video, Object.fromEntries(fields)))
  // The address and its fields give access by themselves. The storage says nothing when it has the file.
  const path = registered.upload_url
  const stored = await http.call({ method: 'POST', path, ...upload, anonymous: true, returns: AnyBody })
  if (typeof stored === 'string' && /^\s*<(?:!doctype|html)/i.test(stored)) throw unconfirmed()
  return registered.media_id
}

function unconfirmed(): PlatformError {
  const message = 'The storage of Pinterest did not confirm the video.'
  return new PlatformError({ kind: 'unavailable', platformCode: null, message })
}

/** A pin of a video that is still processed is refused. */
export async function ensureProcessed(http: Http, mediaId: string): Promise<void> {
  const { status } = await http.call({ method: 'GET', path: `/v5/media/${mediaId}`, returns: MediaState })
  if (status === 'succeeded') return
  if (status === 'failed') throw new PlatformError({ kind: 'rejected', platformCode: status, ...because('file_unprocessed') })
  throw new PlatformError({
    kind: 'unavailable',
    platformCode: status,
    ...because('file_processing'),
    waitsMs: [5_000, 10_000, 30_000, 60_000],
  })
}
