import { splitIntoChunks } from '../kit/split-into-chunks.ts'
import type { Client, Media } from '../kit/connector.ts'
import type { Http } from '../kit/http.ts'
import type { StagedCard } from '../kit/link-card.ts'
import { readMedia, streamMedia, uploadTimeoutMs } from '../kit/read-media.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { because, failedMedia } from './errors.ts'
import { encodeUrn, isPage, restHeaders } from './rest.ts'
import { DocumentUpload, AnyBody, ImageUpload, Asset, VideoUpload } from './wire.ts'

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
    timeoutMs: uploadTimeoutMs(media.sizeBytes),
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
    timeoutMs: uploadTimeoutMs(body.length),
    returns: AnyBody,
  })
  // The upload ends by naming the tag of each part. Without one, the answer is not that of the storage.
  if (headers['etag'] === undefined)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'LinkedIn did not confirm a part of the video.' })
  return headers['etag']
}

/** A person's token may not read the state of images and documents. They are ready after this time. */
const settleMs = 20_000

type Uploaded = { urns: readonly string[]; uploadedAtMs: number }

/** LinkedIn converts files after the upload, and refuses a post that uses one before that is done. */
export async function ensureReady({ http, account }: Client, { urns, uploadedAtMs }: Uploaded): Promise<void> {
  const canRead = (urn: string) => isPage(account.id) || kindOf(urn) === 'video'
  await Promise.all(urns.filter(canRead).map((urn) => ensureAvailable(http, urn)))
  const waitMs = uploadedAtMs + settleMs - http.nowMs()
  if (waitMs > 0 && !urns.every(canRead))
    throw new PlatformError({
      kind: 'unavailable',
      platformCode: 'PROCESSING',
      ...because('file_processing'),
      retryAfterMs: Math.min(waitMs, settleMs),
    })
}

/** A post waits for the picture of its card for this long. Then it is published without. */
const cardWaitMs = 60_000

/** The card with its picture, or without it if LinkedIn could not convert it. */
export async function readyCard(client: Client, card: StagedCard | null, uploadedAtMs: number): Promise<StagedCard | null> {
  if (typeof card?.thumb !== 'string') return card
  try {
    await ensureReady(client, { urns: [card.thumb], uploadedAtMs })
    return card
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const isLate = client.http.nowMs() > uploadedAtMs + cardWaitMs
    if (error.kind !== 'rejected' && !(error.kind === 'unavailable' && isLate)) throw error
    return { ...card, thumb: null, lost: 'picture' }
  }
}

function kindOf(urn: string): string {
  return urn.split(':')[2] ?? ''
}

async function ensureAvailable(http: Http, urn: string): Promise<void> {
  const path = `/rest/${kindOf(urn)}s/${encodeUrn(urn)}`
  const { status } = await http.call({ method: 'GET', path, headers: restHeaders, returns: Asset })
  if (status === 'AVAILABLE') return
  if (status === 'PROCESSING_FAILED') throw failedMedia()
  // Without a wait, a file that LinkedIn still expects is uploaded again.
  const wait = status === 'PROCESSING' ? { retryAfterMs: checkAgainMs } : {}
  throw new PlatformError({ kind: 'unavailable', platformCode: status, ...because('file_processing'), ...wait })
}
