import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { errorOf, shownStateOf } from '../meta/container.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { fieldsOf, pick, timestampOf } from '../meta/graph-fields.ts'
import { toShortcode } from '../meta/to-shortcode.ts'
import type { Container } from './container.ts'
import { missingObject } from './errors.ts'
import { requireOwner, type IgMedia, type Tables } from './publishing.routes.ts'

const storyMetrics = ['views', 'reach', 'shares', 'total_interactions', 'reposts']
const feedMetrics = ['likes', 'comments', 'saved']

export function readingRoutes(context: PlatformContext, { containers, published }: Tables): Route[] {
  const find = (id: string, account: Account): IgMedia | undefined => {
    const media = published.get(id)
    return media?.account === account && context.isVisible(media) ? media : undefined
  }

  /** Users, containers and media have the same path; the id determines which it is. */
  const readObject = (call: Call, { account }: Session): Reply => {
    const id = call.params['id'] ?? ''
    if (id === 'me' || id === account.id) return json(200, viewUser(context, account, fieldsOf(call, ['user_id', 'username'])))
    // While Meta shows no containers it still publishes them (github.com/gitroomhq/postiz-app issue 1562).
    const container = context.settings.containersShown === true ? containers.get(id) : undefined
    if (container?.account === account) return json(200, viewContainer(context, container, fieldsOf(call, [])))
    const media = find(id, account)
    if (!media) throw missingObject(id)
    return json(200, viewMedia(media, fieldsOf(call, [])))
  }

  /** Only apps with Facebook Login can read the caption. An app with Instagram Login reads the time and the link. */
  const list = (call: Call, { account }: Session): Reply => {
    requireOwner(call, account)
    const limit = Math.min(100, Number(call.query.get('limit') ?? 25))
    const own = account.posts.flatMap(({ id }) => find(id, account) ?? []).filter(({ kind }) => kind !== 'STORIES')
    const data = own.toReversed().slice(0, limit)
    return json(200, { data: data.map((media) => viewMedia(media, fieldsOf(call, []))) })
  }

  const quota = (call: Call, { account }: Session): Reply => {
    requireOwner(call, account)
    const { max, windowMs } = context.limits.all()['posts'] ?? { max: 0, windowMs: 0 }
    const config = { quota_total: max, quota_duration: windowMs / 1000 }
    return json(200, { data: [{ config, quota_usage: context.limits.used(account, 'posts', context.now()) }] })
  }

  /** Before there is any activity, Instagram replies with an empty list instead of zeros. */
  const insights = (call: Call, { account }: Session): Reply => {
    const media = find(call.params['id'] ?? '', account)
    if (!media) throw missingObject(call.params['id'] ?? '')
    const known = media.kind === 'STORIES' ? storyMetrics : [...storyMetrics, ...feedMetrics]
    const metrics = (call.query.get('metric') ?? '').split(',').filter((name) => name !== '')
    const unknown = metrics.find((name) => !known.includes(name))
    if (unknown !== undefined) throw badParameter(`metric[0] must be one of the following values: ${known.join(', ')}`)
    if (media.comments === 0 && !media.figures) return json(200, { data: [] })
    const { likes = 0, comments = media.comments, shares = 0, saves = 0, impressions = 0 } = media.figures ?? {}
    const sum = likes + comments + shares + saves
    const values: Record<string, number> = { views: impressions, likes, comments, shares, saved: saves, total_interactions: sum }
    const data = metrics.map((name) => ({ name, period: 'lifetime', values: [{ value: values[name] ?? 0 }], title: name }))
    return json(200, { data })
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const scope = 'instagram_business_basic'
  return [
    {
      method: 'GET',
      path: '/v26.0/:id',
      operation: ({ path }) => (path.endsWith('/me') ? 'account' : 'check'),
      scope,
      charges,
      handle: readObject,
    },
    { method: 'GET', path: '/v26.0/:user/media', operation: 'find', scope, charges, handle: list },
    { method: 'GET', path: '/v26.0/:user/content_publishing_limit', operation: 'other', scope, charges, handle: quota },
    {
      method: 'GET',
      path: '/v26.0/:id/insights',
      operation: 'metrics',
      scope: 'instagram_business_manage_insights',
      charges,
      handle: insights,
    },
  ]
}

/** `id` is specific to the app; publishing needs `user_id`. */
function viewUser(context: PlatformContext, { id, handle }: Account, fields: readonly string[]) {
  const picture = context.avatarUrlOf(handle)
  const all = { user_id: id, username: handle, name: handle, profile_picture_url: picture, account_type: 'BUSINESS' }
  return { ...pick(all, fields), id: accountNumber(context.name, handle, 16) }
}

function viewContainer(context: PlatformContext, container: Container, fields: readonly string[]) {
  const state = shownStateOf(container, context)
  const error = errorOf(container, context.now())
  const status = error === undefined ? state : `Error: Media upload has failed with error code ${error}`
  return { ...pick({ status_code: state, status }, fields), id: container.id }
}

function viewMedia({ id, url, atMs, account, comments, figures }: IgMedia, fields: readonly string[]) {
  const all = {
    permalink: url,
    shortcode: toShortcode(id),
    timestamp: timestampOf(atMs),
    username: account.handle,
    comments_count: figures?.comments ?? comments,
    like_count: figures?.likes ?? 0,
  }
  return { ...pick(all, fields), id }
}
