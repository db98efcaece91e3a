import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import type { Client, Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because, failedMedia } from './errors.ts'
import { encodeUrn, restHeaders } from './rest.ts'
import { DocumentUpload, AnyBody, ImageUpload, Video, VideoUpload } from './wire.ts'

const checkAgainMs = 5_000

/** Uploads one file and returns its URN. Safe to repeat: an upload that no post refers to is never shown. */
export async function uploadMedia(client: Client, media: Media): Promise<string> {
  if (media.kind === 'video') return uploadVideo(client, media)
  const { http, account } = client
  const call = {
    method: 'POST',
    path: `/rest/${media.kind}s`,
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: account.id } },
    headers: restHeaders,
  } as const
  if (media.kind === 'image') {
    const { value } = await http.call({ ...call, returns: ImageUpload })
    await putWhole(client, value.uploadUrl, media)
    return value.image
  }
  const { value } = await http.call({ ...call, returns: DocumentUpload })
  await putWhole(client, value.uploadUrl, media)
  return value.document
}

async function putWhole(client: Client, uploadUrl: string, media: Media): Promise<void> {
  await client.http.call({
    method: 'PUT',
    path: uploadUrl,
    bytes: { body: await readMedia(media), mimeType: 'application/octet-stream' },
    headers: uploadHeaders(client, uploadUrl),
    timeoutMs: uploadTimeoutMs,
    returns: AnyBody,
  })
}

/** Upload URLs are on other hosts of LinkedIn, which need the token too. It is sent to no other company's host. */
function uploadHeaders({ http, credentials }: Client, uploadUrl: string): Record<string, string> {
  const url = URL.parse(uploadUrl)
  const isLinkedIn = url?.protocol === 'https:' && url.hostname.endsWith('.linkedin.com')
  const isOwn = url?.origin === new URL(http.origin).origin
  return isLinkedIn || isOwn ? { authorization: `Bearer ${credentials.accessToken}` } : {}
}

/** LinkedIn returns a URL for each range of bytes. These URLs need no token. */
async function uploadVideo({ http, account }: Client, media: Media): Promise<string> {
  const request = { owner: account.id, fileSizeBytes: media.sizeBytes, uploadCaptions: false, uploadThumbnail: false }
  const call = { method: 'POST', path: '/rest/videos', headers: restHeaders } as const
  const { value } = await http.call({
    ...call,
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: request },
    returns: VideoUpload,
  })
  const [first] = value.uploadInstructions
  const partBytes = first ? Math.min(first.lastByte - first.firstByte + 1, media.sizeBytes) : media.sizeBytes
  if (partBytes < 1)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'LinkedIn named no bytes to upload.' })
  const uploadedPartIds: string[] = []
  for await (const part of splitIntoChunks(await streamMedia(media), partBytes)) {
    const instruction = value.uploadInstructions[uploadedPartIds.length]
    if (!instruction) break
    uploadedPartIds.push(await putPart(http, instruction.uploadUrl, part))
  }
  const finalizeUploadRequest = { video: value.video, uploadToken: value.uploadToken, uploadedPartIds }
  await http.call({ ...call, query: { action: 'finalizeUpload' }, json: { finalizeUploadRequest }, returns: AnyBody })
  return value.video
}

async function putPart(http: Http, path: string, body: Uint8Array): Promise<string> {
  const bytes = { body, mimeType: 'application/octet-stream' }
  const { headers } = await http.exchange({
    method: 'PUT',
    path,
    bytes,
    anonymous: true,
    timeoutMs: uploadTimeoutMs,
    returns: AnyBody,
  })
  // The upload ends by naming the tag of each part. Without one, the answer is not that of the storage.
  if (headers['etag'] === undefined)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'LinkedIn did not confirm a part of the video.' })
  return headers['etag']
}

/** Videos are converted after the upload. The state of images and documents is not checked: a person's token may not read it. */
export async function ensureReady(http: Http, urn: string): Promise<void> {
  if (!urn.startsWith('urn:li:video:')) return
  const path = `/rest/videos/${encodeUrn(urn)}`
  const { status } = await http.call({ method: 'GET', path, headers: restHeaders, returns: Video })
  if (status === 'AVAILABLE') return
  if (status === 'PROCESSING_FAILED') throw failedMedia()
  // Without a wait, a file that LinkedIn still expects is uploaded again.
  const wait = status === 'PROCESSING' ? { retryAfterMs: checkAgainMs } : {}
  throw new PlatformError({ kind: 'unavailable', platformCode: status, ...because('file_processing'), ...wait })
}
