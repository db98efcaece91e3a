import type { Call } from '../../http/call.ts'
import { isFields, textOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import { followersOf } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { notFound, refuseWith } from './errors.ts'
import { readCost, spend, writeCost } from './quota.ts'
import { partOf } from './read-resource.ts'
import { uploadsOf, viewVideo, type Video } from './video.ts'

const idsMax = 50

/** The parts that a request asks for, which must name at least one. */
export function pickParts({ query }: Call, resource: Fields): Fields {
  const parts = (query.get('part') ?? '').split(',').filter(Boolean)
  if (parts.length === 0) throw refuseWith(400, 'missingRequiredParameter', 'Required parameter: part')
  return Object.fromEntries(Object.entries(resource).filter(([name]) => parts.includes(name) || ['kind', 'id'].includes(name)))
}

/** A page of a list, whose token is the place where it begins. */
export function pageOf<T>({ query }: Call, all: readonly T[]): { page: T[]; nextPageToken: string | undefined } {
  const from = Number(query.get('pageToken') ?? 0)
  const to = from + Math.min(idsMax, Number(query.get('maxResults') ?? 5))
  return { page: all.slice(from, to), nextPageToken: to < all.length ? String(to) : undefined }
}

export function readingRoutes(context: PlatformContext, videos: Map<string, Video>): Route[] {
  const ownVideo = (id: string | null, { account }: Session): Video => {
    const video = videos.get(id ?? '')
    if (!video || video.deleted) throw notFound('videoNotFound')
    if (video.account !== account) throw refuseWith(403, 'forbidden', 'The request might not be properly authorized.')
    return video
  }

  const channels = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', readCost)
    // A Google account without a channel gets an empty list.
    if (account.handle.startsWith('nochannel-')) return json(200, { kind: 'youtube#channelListResponse' })
    const isHiding = account.handle.startsWith('hidden-')
    const channel = {
      kind: 'youtube#channel',
      id: account.id,
      snippet: {
        title: account.handle,
        customUrl: `@${account.handle}`,
        thumbnails: { default: { url: context.avatarUrlOf(account.handle) } },
      },
      // Unsigned longs are text in this API. A channel may hide the number of its subscribers.
      statistics: {
        viewCount: '0',
        subscriberCount: isHiding ? '0' : String(followersOf(account)),
        hiddenSubscriberCount: isHiding,
        videoCount: String(account.posts.length),
      },
      contentDetails: { relatedPlaylists: { likes: '', uploads: uploadsOf(account) } },
    }
    return json(200, { kind: 'youtube#channelListResponse', items: [pickParts(call, channel)] })
  }

  const list = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', readCost)
    const ids = (call.query.get('id') ?? '').split(',')
    if (ids.length > idsMax) throw refuseWith(400, 'invalidFilters', 'The request specifies an invalid filter parameter.')
    const found = ids.flatMap((id) => videos.get(id) ?? [])
    const shown = found.filter((video) => video.account === account && !video.deleted && context.isVisible(video))
    return json(200, { kind: 'youtube#videoListResponse', items: shown.map((each) => pickParts(call, viewVideo(context, each))) })
  }

  const remove = ({ query }: Call, session: Session): Reply => {
    spend(context, session.account, 'units', writeCost)
    ownVideo(query.get('id'), session).deleted = true
    return { status: 204, headers: {}, body: '' }
  }

  /** The newest upload first. */
  const listItems = (call: Call, { account }: Session): Reply => {
    spend(context, account, 'units', readCost)
    if (call.query.get('playlistId') !== uploadsOf(account)) throw notFound('playlistNotFound')
    const uploads = [...videos.values()]
      .filter((video) => video.account === account && !video.deleted && context.isVisible(video))
      .toReversed()
    const { page, nextPageToken } = pageOf(call, uploads)
    const items = page.map((video) => {
      const { snippet } = viewVideo(context, video)
      const publishedAt = new Date(video.atMs).toISOString()
      const item = { kind: 'youtube#playlistItem', id: `item-${video.id}`, snippet }
      return pickParts(call, { ...item, contentDetails: { videoId: video.id, videoPublishedAt: publishedAt } })
    })
    return json(200, { kind: 'youtube#playlistItemListResponse', items, nextPageToken })
  }

  const insertItem = (call: Call, session: Session): Reply => {
    spend(context, session.account, 'units', writeCost)
    const snippet = partOf(call.fields, 'snippet')
    const playlistId = textOf(snippet['playlistId']) ?? ''
    if (!playlistId.startsWith('PL') || playlistId.startsWith('PLmissing')) throw notFound('playlistNotFound')
    const { resourceId } = snippet
    const video = ownVideo(isFields(resourceId) ? (textOf(resourceId['videoId']) ?? null) : null, session)
    video.request = { ...video.request, playlist: playlistId }
    return json(200, { kind: 'youtube#playlistItem', id: `item-${playlistId}-${video.id}` })
  }

  const scope = 'https://www.googleapis.com/auth/youtube.force-ssl'
  const reading = ({ query }: Call) => ((query.get('part') ?? '').includes('statistics') ? 'metrics' : 'check')
  return [
    { method: 'GET', path: '/youtube/v3/channels', operation: 'account', scope, handle: channels },
    { method: 'GET', path: '/youtube/v3/videos', operation: reading, scope, handle: list },
    { method: 'DELETE', path: '/youtube/v3/videos', operation: 'remove', scope, handle: remove },
    { method: 'GET', path: '/youtube/v3/playlistItems', operation: 'find', scope, handle: listItems },
    { method: 'POST', path: '/youtube/v3/playlistItems', operation: 'other', scope, handle: insertItem },
  ]
}
