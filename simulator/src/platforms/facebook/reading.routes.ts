import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { fieldsOf, pageOf, pick, timestampOf } from '../meta/graph-fields.ts'
import { missingObject } from './errors.ts'
import { isPageToken, personIdOf, requirePage } from './pages.ts'
import type { FacebookPost, Tables } from './post.ts'
import { statusOf } from './videos.routes.ts'

/** The names of 2026-06: the older `post_impressions` and its kin are refused. */
const metrics = [
  'post_media_view',
  'post_total_media_view_unique',
  'post_clicks',
  'post_reactions_by_type_total',
  'post_video_views',
]

export function readingRoutes(context: PlatformContext, { posts, videos }: Tables): Route[] {
  const find = (id: string, account: Account): FacebookPost | undefined => {
    const post = posts.get(id)
    return post?.account === account && !post.deleted && context.isVisible(post) ? post : undefined
  }

  /** People, pages, posts and videos have the same path; the id determines which it is. */
  const readObject = (call: Call, { account, token }: Session): Reply => {
    const id = call.params['id'] ?? ''
    if (!isPageToken(token)) {
      if (id !== 'me') throw missingObject(id)
      return json(200, { ...pick({ name: account.handle }, fieldsOf(call, ['name'])), id: personIdOf(context.name, account) })
    }
    if (id === 'me' || id === account.id) return json(200, viewPage(context, account, fieldsOf(call, ['name'])))
    const video = videos.get(id)
    if (video?.account === account) {
      const { post } = video
      // The address of a video has no host.
      const all = {
        status: statusOf(video, context.now()),
        permalink_url: post?.url.slice(context.origin.length),
        post_id: post?.id,
      }
      return json(200, { ...pick(all, fieldsOf(call, [])), id })
    }
    const post = find(id, account)
    if (!post) throw missingObject(id)
    return json(200, viewPost(post, fieldsOf(call, ['created_time', 'message'])))
  }

  const listPosts = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const { account } = session
    const own = account.posts.flatMap(({ id }) => find(id, account) ?? [])
    const listed = own.filter(({ kind, listedAtMs }) => kind !== 'story' && listedAtMs <= context.now()).toReversed()
    const { data, paging } = pageOf(call, listed, context)
    return json(200, { data: data.map((post) => viewPost(post, fieldsOf(call, ['created_time', 'message']))), paging })
  }

  const listStories = (call: Call, session: Session): Reply => {
    requirePage(call, session)
    const { account } = session
    const own = account.posts.flatMap(({ id }) => find(id, account) ?? []).filter(({ kind }) => kind === 'story')
    const { data, paging } = pageOf(call, own.toReversed(), context)
    return json(200, { data: data.map(viewStory), paging })
  }

  const insights = (call: Call, { account }: Session): Reply => {
    const id = call.params['id'] ?? ''
    const post = find(id, account)
    if (!post) throw missingObject(id)
    const named = (call.query.get('metric') ?? '').split(',').filter(Boolean)
    if (named.some((name) => !metrics.includes(name))) throw badParameter('(#100) The value must be a valid insights metric')
    const { impressions = 0, clicks = 0 } = post.figures ?? {}
    const values: Record<string, number> = { post_media_view: impressions, post_clicks: clicks }
    const data = named.map((name) => ({
      name,
      period: 'lifetime',
      values: [{ value: values[name] ?? 0 }],
      id: `${id}/insights/${name}`,
    }))
    return json(200, { data, paging: {} })
  }

  const remove = (call: Call, { account }: Session): Reply => {
    const id = call.params['id'] ?? ''
    const post = posts.get(id) ?? videos.get(id)?.post
    if (!post || post.deleted || post.account !== account) throw missingObject(id)
    post.deleted = true
    return json(200, { success: true })
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const scope = 'pages_read_engagement'
  return [
    {
      method: 'GET',
      path: '/v26.0/:id',
      operation: ({ query, path }) =>
        query.get('fields')?.includes('status') === true ? 'check' : /\/(me|\d{15})$/.test(path) ? 'account' : 'metrics',
      charges,
      handle: readObject,
    },
    { method: 'GET', path: '/v26.0/:page/published_posts', operation: 'find', scope, charges, handle: listPosts },
    { method: 'GET', path: '/v26.0/:page/stories', operation: 'find', scope, charges, handle: listStories },
    { method: 'GET', path: '/v26.0/:id/insights', operation: 'metrics', scope: 'read_insights', charges, handle: insights },
    { method: 'DELETE', path: '/v26.0/:id', operation: 'remove', scope: 'pages_manage_posts', charges, handle: remove },
  ]
}

function viewPage(context: PlatformContext, { id, handle }: Account, fields: readonly string[]) {
  const picture = { data: { url: context.avatarUrlOf(handle), is_silhouette: false } }
  return { ...pick({ name: handle, username: handle, picture }, fields), id }
}

function viewPost({ id, text, url, atMs, link, comments, figures }: FacebookPost, fields: readonly string[]) {
  const total = (count: number) => ({ data: [], summary: { total_count: count } })
  const all = {
    message: text === '' ? undefined : text,
    created_time: timestampOf(atMs),
    permalink_url: url,
    attachments: link === undefined ? undefined : { data: [{ unshimmed_url: link, media_type: 'link' }] },
    reactions: total(figures?.likes ?? 0),
    comments: total(figures?.comments ?? comments),
    // Absent for a post that nobody shared.
    shares: figures?.shares === undefined ? undefined : { count: figures.shares },
  }
  return { ...pick(all, fields), id }
}

function viewStory({ id, url, atMs, mediaId, media }: FacebookPost) {
  const isVideo = media.some(({ mime }) => mime.startsWith('video/'))
  const creation = String(Math.floor(atMs / 1000))
  return {
    post_id: id,
    status: 'PUBLISHED',
    creation_time: creation,
    media_type: isVideo ? 'video' : 'photo',
    media_id: mediaId,
    url,
  }
}
