import { chunksOf } from '../kit/chunks.ts'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { streamMedia, uploadTimeoutMs } from '../kit/media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { ask } from './api.ts'
import { piecesOf } from './pieces.ts'
import { videoInfo } from './post-info.ts'
import type { Settings } from './settings.ts'
import { Done, VideoOpened } from './wire.ts'

/** Opens a video post and uploads all but its last piece. Safe to repeat: nothing is published before the last byte. */
export async function openVideo(client: Client, draft: Draft<Settings>, media: Media) {
  const { count, chunkBytes } = piecesOf(media.sizeBytes)
  const opened = await ask(client.http, {
    path: '/v2/post/publish/video/init/',
    json: {
      post_info: videoInfo(draft),
      source_info: { source: 'FILE_UPLOAD', video_size: media.sizeBytes, chunk_size: chunkBytes, total_chunk_count: count },
    },
    returns: VideoOpened,
  })
  let first = 0
  if (count > 1) {
    for await (const piece of chunksOf(await streamMedia(media), chunkBytes)) {
      await put(client, opened.upload_url, { media, piece, first })
      first += piece.length
      if (first === (count - 1) * chunkBytes) break
    }
  }
  return { publishId: opened.publish_id, uploadUrl: opened.upload_url }
}

/** The irreversible call: with the last piece the video is whole, and TikTok publishes it. */
export async function sendLastPiece(client: Client, uploadUrl: string, media: Media): Promise<void> {
  const { lastFirstByte } = piecesOf(media.sizeBytes)
  const piece = await readFrom(media, lastFirstByte)
  const status = await put(client, uploadUrl, { media, piece, first: lastFirstByte })
  if (status === 201) return
  const message = 'TikTok took the last bytes of the video but did not call it whole.'
  throw new PlatformError({ kind: 'unknown', platformCode: String(status), message })
}

/** The end of a file, without holding its beginning. */
async function readFrom(media: Media, firstByte: number): Promise<Uint8Array> {
  const piece = new Uint8Array(media.sizeBytes - firstByte)
  let at = 0
  for await (const part of await streamMedia(media)) {
    const wanted = part.subarray(Math.max(0, firstByte - at))
    if (wanted.length > 0) piece.set(wanted, Math.max(0, at - firstByte))
    at += part.length
  }
  return piece
}

type Piece = { media: Media; piece: Uint8Array; first: number }

/** The address is itself the permission, so no token goes with it. */
async function put({ http }: Client, uploadUrl: string, { media, piece, first }: Piece): Promise<number> {
  const { status } = await http.exchange({
    method: 'PUT',
    path: uploadUrl,
    bytes: { body: piece, mimeType: media.mimeType },
    headers: { 'content-range': `bytes ${first}-${first + piece.length - 1}/${media.sizeBytes}` },
    anonymous: true,
    timeoutMs: uploadTimeoutMs,
    returns: Done,
  })
  return status
}
