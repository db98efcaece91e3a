import type { Call } from '../../http/call.ts'
import { textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Post } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { notFound, refuseWith } from './errors.ts'
import { readCost, spend, writeCost } from './quota.ts'
import { pageOf, pickParts } from './reading.routes.ts'
import { partOf } from './read-resource.ts'
import type { Video } from './video.ts'

const textMax = 10_000

export function commentRoutes(context: PlatformContext, videos: Map<string, Video>): Route[] {
  const load = (id: string): Video => {
    const video = videos.get(id)
    if (!video || video.deleted) throw notFound('videoNotFound')
    if (video.isMadeForKids)
      throw refuseWith(403, 'commentsDisabled', 'The video identified by the request has disabled comments.')
    return video
  }

  const insert = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', writeCost)
    const { videoId, channelId, text } = readThread(call)
    if (videoId === '' || channelId === '')
      throw refuseWith(400, 'channelOrVideoIdMissing', 'Each comment thread must be linked to a video.')
    const video = load(videoId)
    if (text.trim() === '') throw refuseWith(400, 'commentTextRequired', 'Comments cannot be empty.')
    if (text.length > textMax) throw refuseWith(400, 'commentTextTooLong', 'The comment has too many characters.')
    const id = `Ug${randomToken(18)}AaABAg`
    const head = { platform: context.name, id, account, text, url: `${video.url}&lc=${id}`, replyTo: video.id }
    const comment: Post = { ...head, atMs: context.now(), deleted: false, media: [] }
    context.commit(comment, call)
    return json(200, pickParts(call, viewThread(comment, videoId)))
  }

  const list = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', readCost)
    const video = load(call.query.get('videoId') ?? '')
    const comments = account.posts
      .filter((post) => post.replyTo === video.id && !post.deleted && context.isVisible(post))
      .toReversed()
    const { page, nextPageToken } = pageOf(call, comments)
    const items = page.map((comment) => pickParts(call, viewThread(comment, video.id)))
    return json(200, { kind: 'youtube#commentThreadListResponse', items, nextPageToken })
  }

  const path = '/youtube/v3/commentThreads'
  const scope = 'https://www.googleapis.com/auth/youtube.force-ssl'
  return [
    { method: 'POST', path, operation: 'submit', scope, readSubmit, handle: insert },
    { method: 'GET', path, operation: 'find', scope, handle: list },
  ]
}

function viewThread({ id, text, account, atMs }: Post, videoId: string): Fields {
  const snippet = {
    videoId,
    textOriginal: text,
    textDisplay: text,
    authorChannelId: { value: account.id },
    publishedAt: new Date(atMs).toISOString(),
  }
  return { kind: 'youtube#commentThread', id, snippet: { videoId, topLevelComment: { kind: 'youtube#comment', id, snippet } } }
}

function readThread({ fields }: Call) {
  const snippet = partOf(fields, 'snippet')
  const text = textOf(partOf(partOf(snippet, 'topLevelComment'), 'snippet')['textOriginal']) ?? ''
  return { videoId: textOf(snippet['videoId']) ?? '', channelId: textOf(snippet['channelId']) ?? '', text }
}

function readSubmit(call: Call): SubmitRequest {
  const { videoId, text } = readThread(call)
  return { operation: 'comment', text, key: null, replyTo: videoId }
}
