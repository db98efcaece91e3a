import type { Call } from '../../http/call.ts'
import { numberOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { missingObject, reelsUsed, uploadProblem } from './errors.ts'
import { requirePage } from './pages.ts'
import { commitPost, type Tables, type Video, type VideoEdge } from './post.ts'

/** Facebook chooses the size of a part itself. A small one makes parts of a test's file. */
const chunkBytesMax = 1_000_000
const titleMax = 254
const kinds = { videos: 'video', video_reels: 'reel', video_stories: 'story' } as const

/** Videos, reels and video stories are announced, uploaded, and published by a last call that names the video. */
export function videoRoutes(context: PlatformContext, tables: Tables): Route[] {
  const { videos, nextId } = tables
  const received = ({ chunks }: Video) => chunks.reduce((sum, { length }) => sum + length, 0)
  const load = (id: string | undefined, { account }: Session): Video => {
    const video = videos.get(id ?? '')
    if (video?.account !== account) throw missingObject(id ?? '')
    return video
  }
  /** The bytes that are expected next. Both are the same once nothing is missing. */
  const offsets = (video: Video) => {
    const start = received(video)
    return { start_offset: String(start), end_offset: String(Math.min(video.sizeBytes, start + chunkBytesMax)) }
  }

  const start = (call: Call, { account }: Session, edge: VideoEdge): Reply => {
    const sizeBytes = numberOf(call.parameter('file_size')) ?? 0
    if (edge === 'videos' && sizeBytes <= 0) throw badParameter('(#100) The parameter file_size is required')
    const id = nextId()
    const video: Video = {
      id,
      sessionId: nextId(),
      account,
      edge,
      sizeBytes,
      chunks: [],
      finishedAtMs: undefined,
      readyAtMs: Infinity,
      isFailing: false,
      post: undefined,
    }
    videos.set(id, video)
    if (edge === 'videos') return json(200, { video_id: id, upload_session_id: video.sessionId, ...offsets(video) })
    return json(200, { video_id: id, upload_url: `${context.origin}/video-upload/v26.0/${id}` })
  }

  const transfer = (call: Call, { account }: Session): Reply => {
    const session = call.parameter('upload_session_id')
    const video = [...videos.values()].find((each) => each.sessionId === session && each.account === account)
    const chunk = call.files.get('video_file_chunk')?.bytes
    if (!video || !chunk) throw uploadProblem()
    // A part that is sent a second time is answered with the place to go on from.
    if (numberOf(call.parameter('start_offset')) === received(video)) video.chunks.push(chunk)
    return json(200, offsets(video))
  }

  /** The host for uploads of reels and stories. It has its own header for the token. */
  const upload = (call: Call, session: Session): Reply => {
    const video = load(call.params['video'], session)
    const [offset, sizeBytes] = [numberOf(call.headers['offset']), numberOf(call.headers['file_size'])]
    if (offset === undefined || sizeBytes === undefined || offset + call.body.length !== sizeBytes || offset !== 0)
      throw uploadProblem()
    video.sizeBytes = sizeBytes
    video.chunks = [call.body]
    return json(200, { success: true })
  }

  /** The irreversible step. What a second one does is not documented; here it changes nothing. */
  const finish = (call: Call, session: Session, edge: VideoEdge): Reply => {
    const { account } = session
    const bySession = call.parameter('upload_session_id')
    const id =
      edge === 'videos' ? [...videos.values()].find((each) => each.sessionId === bySession)?.id : call.parameter('video_id')
    const video = load(id, session)
    if (video.edge !== edge || received(video) === 0 || received(video) !== video.sizeBytes) throw uploadProblem()
    if (edge === 'video_reels' && call.parameter('video_state') !== 'PUBLISHED')
      throw badParameter('(#100) Invalid parameter: video_state')
    if ((call.parameter('title') ?? '').length > titleMax) throw badParameter('(#100) The title is too long.')
    if (video.finishedAtMs !== undefined) return answerOf(video)
    if (edge === 'video_reels' && context.limits.charge(account, { limit: 'reels', cost: 1 }, context.now())?.exceeded === true)
      throw reelsUsed()
    const bytes = Buffer.concat(video.chunks)
    video.finishedAtMs = context.now()
    video.readyAtMs = context.readyAtMs(context.settings.processingMs)
    video.isFailing = context.settings.processingFails || bytes.toString('latin1', 4, 8) !== 'ftyp'
    if (video.isFailing) return answerOf(video)
    const { readyAtMs } = video
    const mime = 'video/mp4'
    const media = [context.simulator.media.add(context.name, { id: video.id, account, mime, bytes, alt: '', readyAtMs })]
    const text = edge === 'video_stories' ? '' : (call.parameter('description') ?? '')
    const parts = { account, text, media, kind: kinds[edge], mediaId: video.id, listedAtMs: readyAtMs }
    video.post = commitPost(context, tables, call, parts)
    return answerOf(video)
  }

  const publish = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const edge = edgeOf(call)
    const phase = call.parameter('upload_phase')
    if (phase === 'start') return start(call, session, edge)
    if (phase === 'transfer' && edge === 'videos') return transfer(call, session)
    if (phase === 'finish') return finish(call, session, edge)
    throw badParameter('(#100) Invalid parameter: upload_phase')
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const scope = 'pages_manage_posts'
  const edges = ['videos', 'video_reels', 'video_stories'] as const
  return [
    ...edges.map((edge): Route => ({
      method: 'POST',
      path: `/v26.0/:page/${edge}`,
      operation: (call) => (call.parameter('upload_phase') === 'finish' ? 'submit' : 'stage'),
      scope,
      charges,
      readSubmit: (call) => {
        if (call.parameter('upload_phase') !== 'finish') return undefined
        const key = call.parameter('video_id') ?? call.parameter('upload_session_id') ?? null
        return { operation: `finish_${edge}`, text: call.parameter('description') ?? '', key, replyTo: null }
      },
      handle: publish,
    })),
    { method: 'POST', path: '/video-upload/v26.0/:video', operation: 'stage', scope, handle: upload },
  ]
}

function edgeOf({ path }: Call): VideoEdge {
  return path.endsWith('/video_reels') ? 'video_reels' : path.endsWith('/video_stories') ? 'video_stories' : 'videos'
}

function answerOf({ edge, post }: Video): Reply {
  return json(200, { success: true, ...(edge !== 'videos' && post && { post_id: post.id }) })
}

/** The phases of a video, as the field `status` shows them. */
export function statusOf(video: Video, nowMs: number): object {
  const bytes = video.chunks.reduce((sum, { length }) => sum + length, 0)
  const isUploaded = bytes > 0 && bytes === video.sizeBytes
  const uploading = { status: isUploaded ? 'complete' : 'in_progress', bytes_transfered: bytes }
  const idle = { status: 'not_started' }
  if (video.finishedAtMs === undefined)
    return {
      video_status: isUploaded ? 'upload_complete' : 'uploading',
      uploading_phase: uploading,
      processing_phase: idle,
      publishing_phase: idle,
    }
  if (video.readyAtMs > nowMs)
    return {
      video_status: 'processing',
      uploading_phase: uploading,
      processing_phase: { status: 'in_progress' },
      publishing_phase: idle,
    }
  if (video.isFailing) {
    const error = { message: 'The video could not be processed.', code: 1_363_128 }
    return {
      video_status: 'error',
      uploading_phase: uploading,
      processing_phase: { status: 'error', errors: [error] },
      publishing_phase: idle,
    }
  }
  const complete = { status: 'complete' }
  return {
    video_status: 'ready',
    uploading_phase: uploading,
    processing_phase: complete,
    publishing_phase: { ...complete, publish_status: 'published', publish_time: new Date(video.readyAtMs).toISOString() },
  }
}
