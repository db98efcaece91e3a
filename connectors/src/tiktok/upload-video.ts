import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { streamMedia, uploadMsMin } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { callApi } from './call-api.ts'
import { planChunks } from './plan-chunks.ts'
import { isForInbox, withInboxScope } from './inbox.ts'
import { createVideoInfo } from './post-info.ts'
import type { Settings } from './settings.ts'
import { AnyBody, VideoUpload } from './wire.ts'

/** Starts a video post and uploads all chunks but the last. Safe to repeat: nothing is published, or in the inbox, before the last byte. */
export async function startVideo(client: Client, draft: Draft<Settings>, media: Media) {
  const { count, chunkBytes } = planChunks(media.sizeBytes)
  const source = { source: 'FILE_UPLOAD', video_size: media.sizeBytes, chunk_size: chunkBytes, total_chunk_count: count }
  const upload = await initVideo(client, draft, source)
  let first = 0
  if (count > 1) {
    for await (const chunk of splitIntoChunks(await streamMedia(media), chunkBytes)) {
      await put(client, upload.upload_url, { media, chunk, first })
      first += chunk.length
      if (first === (count - 1) * chunkBytes) break
    }
  }
  return { publishId: upload.publish_id, uploadUrl: upload.upload_url, sizeBytes: media.sizeBytes }
}

/** In the inbox a video has no text yet. */
function initVideo(client: Client, draft: Draft<Settings>, source: Record<string, unknown>) {
  const init = (path: string, info: object) =>
    callApi(client.http, { path, json: { ...info, source_info: source }, returns: VideoUpload })
  if (isForInbox(draft.settings)) return withInboxScope(client, () => init('/v2/post/publish/inbox/video/init/', {}))
  return init('/v2/post/publish/video/init/', { post_info: createVideoInfo(draft) })
}

/** The irreversible call: once the video is complete, TikTok publishes it or puts it into the inbox. */
export async function uploadLastChunk(client: Client, uploadUrl: string, media: Media): Promise<void> {
  const { lastChunkStart } = planChunks(media.sizeBytes)
  const chunk = await readFrom(media, lastChunkStart)
  const status = await put(client, uploadUrl, { media, chunk, first: lastChunkStart })
  if (status === 201) return
  const message = 'TikTok accepted the last part of the video but did not report the video as complete.'
  throw new PlatformError({ kind: 'unknown', platformCode: String(status), message })
}

/** Reads the end of a file without keeping its beginning in memory. */
async function readFrom(media: Media, firstByte: number): Promise<Uint8Array> {
  const chunk = new Uint8Array(media.sizeBytes - firstByte)
  let at = 0
  for await (const part of await streamMedia(media)) {
    const wanted = part.subarray(Math.max(0, firstByte - at))
    if (wanted.length > 0) chunk.set(wanted, Math.max(0, at - firstByte))
    at += part.length
  }
  return chunk
}

type Chunk = { media: Media; chunk: Uint8Array; first: number }

/** The upload URL gives access by itself, so no token is sent. */
async function put({ http }: Client, uploadUrl: string, { media, chunk, first }: Chunk): Promise<number> {
  const { status } = await http.exchange({
    method: 'PUT',
    path: uploadUrl,
    bytes: { body: chunk, mimeType: media.mimeType },
    headers: { 'content-range': `bytes ${first}-${first + chunk.length - 1}/${media.sizeBytes}` },
    anonymous: true,
    // The last chunk is sent while a guard is set, so its time does not grow with its size. It has at most 20 MB.
    timeoutMs: uploadMsMin,
    returns: AnyBody,
  })
  return status
}
