import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import { asPage, pageToken, pathOf } from './page.ts'
import { CreatedObject, Offsets, StartedReel, StartedVideo, Success, type StagedVideo } from './wire.ts'

const chunkBytesMax = 32_000_000

/** Uploads a photo that nobody sees until a post or story names it. Facebook deletes it after a day. */
export async function uploadPhoto(client: Client, media: Media): Promise<string> {
  const multipart = new FormData()
  multipart.set('published', 'false')
  if (media.alt !== '') multipart.set('alt_text_custom', media.alt)
  multipart.set('source', new Blob([await readMedia(media)], { type: media.mimeType }), media.name)
  const path = pathOf(client.account.id, '/photos')
  const timeoutMs = uploadTimeoutMs(media.sizeBytes)
  const { id } = await asPage(client).call({ method: 'POST', path, multipart, timeoutMs, returns: CreatedObject })
  return id
}

/** The edge of the page on which a video is published. */
export function edgeOf(format: Draft['format']): '/videos' | '/video_reels' | '/video_stories' {
  if (format === 'short_video') return '/video_reels'
  return format === 'story' ? '/video_stories' : '/videos'
}

/** Uploads a video. Its id is known before the call that publishes it, so that its state can be read if the answer to that call is lost. */
export function uploadVideo(client: Client, media: Media, format: Draft['format']): Promise<Static<typeof StagedVideo>> {
  const edge = edgeOf(format)
  return edge === '/videos' ? uploadInChunks(client, media) : uploadWhole(client, media, edge)
}

async function uploadInChunks(client: Client, media: Media): Promise<Static<typeof StagedVideo>> {
  const http = asPage(client)
  const call = { method: 'POST', path: pathOf(client.account.id, '/videos') } as const
  const form = { upload_phase: 'start', file_size: String(media.sizeBytes) }
  const started = await http.call({ ...call, form, returns: StartedVideo })
  const sessionId = started.upload_session_id
  const chunkBytes = Math.min(Number(started.end_offset) - Number(started.start_offset), chunkBytesMax)
  if (!(chunkBytes >= 1)) throw lostPart()
  let sentBytes = 0
  for await (const chunk of splitIntoChunks(await streamMedia(media), chunkBytes)) {
    const multipart = new FormData()
    const fields = { upload_phase: 'transfer', upload_session_id: sessionId, start_offset: String(sentBytes) }
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value)
    multipart.set('video_file_chunk', new Blob([chunk]), media.name)
    const timeoutMs = uploadTimeoutMs(chunk.length)
    const { start_offset: next } = await http.call({ ...call, multipart, timeoutMs, returns: Offsets })
    sentBytes += chunk.length
    if (Number(next) !== sentBytes) throw lostPart()
  }
  return { videoId: started.video_id, sessionId }
}

/** Reels and stories are uploaded at an address of their own. */
async function uploadWhole(client: Client, media: Media, edge: string): Promise<Static<typeof StagedVideo>> {
  const path = pathOf(client.account.id, edge)
  const started = await asPage(client).call({ method: 'POST', path, form: { upload_phase: 'start' }, returns: StartedReel })
  const { success } = await client.http.call({
    method: 'POST',
    path: started.upload_url,
    headers: { ...uploadToken(client, started.upload_url), offset: '0', file_size: String(media.sizeBytes) },
    bytes: { body: await streamMedia(media), mimeType: 'application/octet-stream' },
    timeoutMs: uploadTimeoutMs(media.sizeBytes),
    anonymous: true,
    returns: Success,
  })
  if (!success) throw lostPart()
  return { videoId: started.video_id, sessionId: null }
}

/** The host for uploads is another one of Facebook's, which needs the token too. It is sent to no other company's host. */
function uploadToken(client: Client, uploadUrl: string): Record<string, string> {
  const url = URL.parse(uploadUrl)
  const isFacebook = url?.protocol === 'https:' && url.hostname.endsWith('.facebook.com')
  const isOwn = url?.origin === new URL(client.http.origin).origin
  return isFacebook || isOwn ? { authorization: `OAuth ${pageToken(client)}` } : {}
}

/** The upload is made again. */
function lostPart(): PlatformError {
  return new PlatformError({ kind: 'unavailable', platformCode: null, message: 'Facebook did not take a part of the video.' })
}
