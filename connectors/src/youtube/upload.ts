import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { cutText, titleOf } from '../kit/cut-text.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import { because, classify } from './errors.ts'
import { manifest } from './manifest.ts'
import type { Settings } from './settings.ts'
import { AnyBody, UploadAnswer, type StagedVideo } from './wire.ts'

/** Every chunk but the last must be a multiple of this. The last one stays below it, so that sending the post is short. */
const stepBytes = 256 * 1024
const chunkBytes = 32 * stepBytes

type Upload = Static<typeof StagedVideo>

/** How much of a video YouTube has: its id once it is complete, `gone` if YouTube does not know the upload (any more). */
export type Progress = { state: 'complete'; videoId: string } | { state: 'partial'; storedBytes: number } | { state: 'gone' }

/** Opens an upload and sends everything but the last bytes. Safe to repeat: the video does not exist before its last byte. */
export async function startUpload(client: Client, draft: Draft<Settings>, media: Media): Promise<Upload> {
  const { sizeBytes } = media
  const upload = { uploadUrl: await openUpload(client, draft, media), sizeBytes }
  const end = lastPieceStart(sizeBytes)
  let first = 0
  if (end > 0) {
    for await (const chunk of splitIntoChunks(await streamMedia(media), chunkBytes)) {
      await sendChunk(client, upload, { media, chunk: chunk.subarray(0, end - first), first })
      first += chunk.length
      if (first >= end) break
    }
  }
  return upload
}

async function openUpload({ http }: Client, draft: Draft<Settings>, media: Media): Promise<string> {
  const { headers } = await http.exchange({
    method: 'POST',
    path: '/upload/youtube/v3/videos',
    query: { uploadType: 'resumable', part: 'snippet,status', notifySubscribers: String(draft.settings.notifySubscribers) },
    json: createResource(draft, media),
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-upload-content-type': media.mimeType,
      'x-upload-content-length': String(media.sizeBytes),
    },
    returns: AnyBody,
  })
  const { location } = headers
  // Without the origin: another process may know YouTube under another one, and only there does a request have the token.
  if (location?.startsWith(`${http.origin}/`)) return location.slice(http.origin.length)
  if (location !== undefined && URL.canParse(location)) return location
  throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'YouTube opened no upload for the video.' })
}

function createResource(draft: Draft<Settings>, media: Media) {
  const { privacy, audience, tags, category, aiGenerated } = draft.settings
  return {
    snippet: {
      title: videoTitle(draft) ?? titleOfFile(media),
      description: draft.text,
      ...(tags && { tags }),
      ...(category !== undefined && { categoryId: category }),
    },
    status: {
      privacyStatus: privacy,
      // Without it, what the channel says about all of its videos holds.
      ...(audience !== 'channel' && { selfDeclaredMadeForKids: audience === 'kids' }),
      ...(aiGenerated && { containsSyntheticMedia: true }),
    },
  }
}

/** A first line is taken without the brackets that YouTube refuses. */
export function videoTitle({ title, text }: Pick<Draft, 'title' | 'text'>): string | null {
  return titleOf({ title, text: text.replaceAll(/[<>]/g, '') }, manifest.title.max)
}

function titleOfFile({ name }: Media): string {
  const words = name.replace(/\.[^.]*$/, '').replaceAll(/[<>_-]+/g, ' ')
  return cutText(words.trim(), manifest.title.max) || 'Video'
}

function lastPieceStart(sizeBytes: number): number {
  return Math.floor((sizeBytes - 1) / stepBytes) * stepBytes
}

type Piece = { media: Media; chunk: Uint8Array; first: number }

/** YouTube may keep less of a chunk than was sent. The rest is then sent again, as long as there is progress. */
async function sendChunk({ http }: Client, upload: Upload, { media, chunk, first }: Piece): Promise<void> {
  const end = first + chunk.length
  for (let from = first; from < end;) {
    const progress = await put(http, upload, { media, chunk: chunk.subarray(from - first), first: from })
    if (progress.state === 'gone') throw lateUpload()
    const stored = progress.state === 'partial' ? progress.storedBytes : upload.sizeBytes
    if (stored <= from || stored > end) {
      const message = 'YouTube did not take the next part of the video.'
      throw new PlatformError({ kind: 'unavailable', platformCode: null, message })
    }
    from = stored
  }
}

/** The upload is not known any more, or lost what it had: the video is uploaded again, to a new address. */
export function lateUpload(): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: 'upload_expired', ...because('file_late'), isTemporary: true })
}

/** Changes nothing: it asks how many bytes YouTube has. */
export function readProgress(http: Http, { uploadUrl, sizeBytes }: Upload): Promise<Progress> {
  return exchange(http, uploadUrl, { 'content-range': `bytes */${sizeBytes}` })
}

/** The irreversible call: with its last byte, the video exists. */
export async function sendLastPiece({ http }: Client, upload: Upload, media: Media, storedBytes: number): Promise<string> {
  // More than the last piece would take too long while the guard is set.
  if (storedBytes < lastPieceStart(upload.sizeBytes)) throw lateUpload()
  const chunk = await readRest(media, storedBytes)
  const progress = await put(http, upload, { media, chunk, first: storedBytes })
  if (progress.state === 'complete') return progress.videoId
  if (progress.state === 'partial')
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'YouTube did not take the end of the video.' })
  // It was known a moment ago, so this says nothing about the video.
  throw new PlatformError({ kind: 'unknown', platformCode: null, message: 'YouTube lost the upload with its last byte.' })
}

async function readRest(media: Media, fromByte: number): Promise<Uint8Array> {
  const rest = new Uint8Array(media.sizeBytes - fromByte)
  let filled = 0
  for await (const part of await streamMedia(media, fromByte)) {
    if (filled + part.length > rest.length) throw unreadable(media)
    rest.set(part, filled)
    filled += part.length
  }
  if (filled !== rest.length) throw unreadable(media)
  return rest
}

function unreadable({ name }: Media): PlatformError {
  const message = `The file ${name} could not be read.`
  return new PlatformError({ kind: 'unavailable', platformCode: null, reason: 'file_unreadable', message })
}

function put(http: Http, { uploadUrl, sizeBytes }: Upload, { media, chunk, first }: Piece): Promise<Progress> {
  const headers = { 'content-range': `bytes ${first}-${first + chunk.length - 1}/${sizeBytes}` }
  return exchange(http, uploadUrl, headers, { body: chunk, mimeType: media.mimeType })
}

type Bytes = { body: Uint8Array; mimeType: string }

async function exchange(http: Http, path: string, headers: Record<string, string>, bytes?: Bytes): Promise<Progress> {
  const sent = bytes ? { bytes, timeoutMs: uploadTimeoutMs(bytes.body.length) } : {}
  const call = { method: 'PUT', path, headers, ...sent } as const
  try {
    // Status 308 with an empty body is the usual answer, not a redirect.
    const answer = await http.exchange({ ...call, returns: UploadAnswer, answersRefusals: true })
    const { status, body } = answer
    if (status === 308) return { state: 'partial', storedBytes: storedIn(answer.headers['range']) }
    if (status > 299) throw classify(answer, http.nowMs())
    if (body !== null && isVideoId(body.id)) return { state: 'complete', videoId: body.id }
    const message = 'YouTube accepted the video, but its answer was damaged.'
    throw new PlatformError({ kind: 'unknown', platformCode: null, message })
  } catch (error) {
    if (error instanceof PlatformError && error.reason === 'not_found') return { state: 'gone' }
    throw error
  }
}

/** `bytes=0-262143` are 262144 bytes; without the header there are none. */
function storedIn(range: string | undefined): number {
  const last = /^bytes=0-(\d+)/.exec(range ?? '')?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

/** With a damaged id YouTube would deny a video that exists, so an answer with such an id counts as lost. */
function isVideoId(text: string): boolean {
  return /^[\w-]{6,64}$/.test(text)
}
