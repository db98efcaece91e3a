import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { failure, refuseWith } from './errors.ts'
import { spend, writeCost } from './quota.ts'
import { checkResource, partOf } from './read-resource.ts'
import { storedBytes, viewVideo, type UploadSession, type Video } from './video.ts'

const path = '/upload/youtube/v3/videos'
const chunkStep = 256 * 1024
const sessionLastsMs = 7 * 86_400_000
const fileBytesMax = 274_877_906_944

export type Tables = { sessions: Map<string, UploadSession>; videos: Map<string, Video> }

/** developers.google.com/youtube/v3/guides/using_resumable_upload_protocol: open a session, send bytes in order, ask how many arrived. */
export function uploadRoutes(context: PlatformContext, { sessions, videos }: Tables): Route[] {
  const open = (call: Call, { account }: Session): Reply => {
    const resource = call.fields
    if (call.query.get('uploadType') !== 'resumable') throw refuseWith(400, 'badRequest', 'Bad Request')
    if (account.handle.startsWith('nochannel-')) throw refuseWith(401, 'youtubeSignupRequired', 'Unauthorized')
    spend(context, account, 'uploads', 1)
    if (account.handle.startsWith('busy-'))
      throw refuseWith(400, 'uploadLimitExceeded', 'The user has exceeded the number of videos they may upload.')
    const sizeBytes = Number(call.headers['x-upload-content-length'] ?? 0)
    const mime = textOf(call.headers['x-upload-content-type']) ?? ''
    const isVideo = mime.startsWith('video/') || mime === 'application/octet-stream'
    if (!isVideo || !(sizeBytes > 0) || sizeBytes > fileBytesMax)
      throw refuseWith(400, 'mediaBodyRequired', 'The request does not include the video content.')
    if (!resource) throw refuseWith(400, 'invalidVideoMetadata', 'The request metadata is invalid.')
    checkResource(resource)
    const id = randomToken(24)
    sessions.set(id, { id, account, resource, mime, sizeBytes, chunks: [], openedAtMs: context.now(), videoId: undefined })
    // On the host that was asked, as each worker of a run may have its own.
    const origin = new URL(context.origin)
    origin.host = call.headers.host ?? origin.host
    const location = `${origin.href}${path}?uploadType=resumable&upload_id=${id}`
    return { status: 200, headers: { location }, body: '' }
  }

  const sessionOf = ({ query }: Call) => {
    const session = sessions.get(query.get('upload_id') ?? '')
    return session && session.openedAtMs + sessionLastsMs > context.now() ? session : undefined
  }

  const put = (call: Call, { account }: Session): Reply => {
    const session = sessionOf(call)
    if (!session || session.account !== account) return failure(404)
    const finished = videos.get(session.videoId ?? '')
    if (finished) return json(200, viewVideo(context, finished))
    const range = rangeOf(call)
    if (range.kind === 'status') return incomplete(session)
    const have = storedBytes(session)
    const { first, last, total } = range
    const isLast = last + 1 === session.sizeBytes
    const isWhole = total === session.sizeBytes && last - first + 1 === call.body.length
    // Bytes that are there already are refused: what YouTube does with them is not documented.
    if (first !== have || !isWhole || (!isLast && call.body.length % chunkStep !== 0)) return failure(400)
    session.chunks.push(kept(session, call.body))
    return storedBytes(session) === session.sizeBytes ? finish(call, session) : incomplete(session)
  }

  /** The video exists from here on: its last byte has arrived. */
  const finish = (call: Call, session: UploadSession): Reply => {
    const { account, resource, mime } = session
    const bytes = Buffer.concat(session.chunks)
    const id = randomToken(8)
    const [snippet, status] = [partOf(resource, 'snippet'), partOf(resource, 'status')]
    const readyAtMs = context.now() + context.settings.processingMs
    const media = context.simulator.media.add(context.name, { id: `file-${id}`, account, mime, bytes, alt: '', readyAtMs })
    const video: Video = {
      platform: context.name,
      id,
      account,
      text: textOf(snippet['description']) ?? '',
      url: `${context.origin}/watch?v=${id}`,
      replyTo: null,
      atMs: context.now(),
      deleted: false,
      media: [media],
      request: resource,
      title: textOf(snippet['title']) ?? '',
      privacy: textOf(status['privacyStatus']) ?? 'public',
      isMadeForKids: status['selfDeclaredMadeForKids'] === true,
      readyAtMs,
      isFailing: context.settings.processingFails,
      snippet,
      status,
    }
    videos.set(id, video)
    session.videoId = id
    session.chunks = []
    // A video that cannot be converted is in the channel, where nobody can play it.
    if (!video.isFailing) context.commit(video, call)
    return json(200, viewVideo(context, video))
  }

  /** developers.google.com/youtube/v3/docs/thumbnails/set: an image of at most 50 MB. */
  const setThumbnail = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', writeCost)
    const video = videos.get(call.query.get('videoId') ?? '')
    if (!video || video.deleted) throw refuseWith(404, 'videoNotFound', 'The video cannot be found.')
    // A channel without a verified phone number has no thumbnails of its own.
    if (video.account !== account || account.handle.startsWith('unverified-'))
      throw refuseWith(403, 'forbidden', "The thumbnail can't be set for the specified video.")
    if (!/^image\/(jpeg|png)$/.test(call.headers['content-type'] ?? ''))
      throw refuseWith(400, 'invalidImage', 'The provided image content is invalid.')
    video.request = { ...video.request, thumbnail: `${call.body.length} bytes` }
    return json(200, { kind: 'youtube#thumbnailSetResponse', items: [] })
  }

  const readSubmit = (call: Call): SubmitRequest | undefined => {
    if (!isLastChunk(call)) return undefined
    const id = call.query.get('upload_id') ?? ''
    const text = textOf(partOf(sessions.get(id)?.resource, 'snippet')['description']) ?? ''
    return { operation: 'upload_last_chunk', text, key: id, replyTo: null }
  }

  const scope = 'https://www.googleapis.com/auth/youtube.force-ssl'
  return [
    { method: 'POST', path, operation: 'stage', scope, handle: open },
    {
      method: 'PUT',
      path,
      // Only the last chunk makes the video exist.
      operation: (call) => (isLastChunk(call) ? 'submit' : rangeOf(call).kind === 'status' ? 'find' : 'stage'),
      scope,
      readSubmit,
      handle: put,
    },
    { method: 'POST', path: '/upload/youtube/v3/thumbnails/set', operation: 'other', scope, handle: setThumbnail },
  ]
}

/** A server may keep less of a chunk than was sent, which its answer tells. Accounts named `partial-…` meet such a server. */
function kept({ account, chunks }: UploadSession, body: Buffer): Buffer {
  if (!account.handle.startsWith('partial-') || body.length <= chunkStep || chunks.length % 2 === 1) return body
  return body.subarray(0, chunkStep)
}

function incomplete(session: UploadSession): Reply {
  const have = storedBytes(session)
  return { status: 308, headers: have > 0 ? { range: `bytes=0-${have - 1}` } : {}, body: '' }
}

type Range = { kind: 'status' } | { kind: 'bytes'; first: number; last: number; total: number }

function rangeOf({ headers, body }: Call): Range {
  const sent = headers['content-range']
  if (sent?.startsWith('bytes */') === true) return { kind: 'status' }
  const found = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(sent ?? `bytes 0-${body.length - 1}/${body.length}`)
  return { kind: 'bytes', first: Number(found?.[1] ?? -1), last: Number(found?.[2] ?? -1), total: Number(found?.[3] ?? -1) }
}

function isLastChunk(call: Call): boolean {
  const range = rangeOf(call)
  return range.kind === 'bytes' && range.last + 1 === range.total
}
