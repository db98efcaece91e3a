import type { Call } from '../../http/call.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { followersOf } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { errorOf, shownStateOf } from '../meta/container.ts'
import { fieldsOf, pick } from '../meta/graph-fields.ts'
import type { Container } from './container.ts'
import { missingObject } from './errors.ts'
import { chargeQuota, requireOwner } from './publishing.routes.ts'
import { viewThread, type Thread } from './thread.ts'

type Tables = { containers: Map<string, Container>; threads: Map<string, Thread> }

export function readingRoutes(context: PlatformContext, { containers, threads }: Tables): Route[] {
  const find = (id: string, account: Account) => {
    const thread = threads.get(id)
    return thread && !thread.deleted && thread.account === account ? thread : undefined
  }

  const findVisible = (id: string, account: Account) => {
    const thread = find(id, account)
    return thread && context.isVisible(thread) ? thread : undefined
  }

  /** Users, containers and posts have the same path; the id determines which it is. */
  const readObject = (call: Call, account: Account) => {
    const id = call.params['id'] ?? ''
    if (id === 'me' || id === account.id) return json(200, viewUser(context, account, fieldsOf(call, ['id', 'username'])))
    // While Meta shows no containers it still publishes them (github.com/gitroomhq/postiz-app issue 1562).
    const container = context.settings.containersShown === true ? containers.get(id) : undefined
    if (container && container.account === account) return json(200, viewContainer(context, container, fieldsOf(call, [])))
    const thread = findVisible(id, account)
    if (!thread) throw missingObject(id)
    return json(200, viewThread(context, thread, fieldsOf(call, [])))
  }

  /** Meta does not document whether the list of posts contains replies to one's own posts. Here it does. */
  const list = (call: Call, account: Account, { onlyReplies = false } = {}) => {
    requireOwner(call, account)
    const limit = Math.min(100, Number(call.query.get('limit') ?? 25))
    const since = parseTimeMs(call.query.get('since')) ?? -Infinity
    const until = parseTimeMs(call.query.get('until')) ?? Infinity
    const fields = fieldsOf(call, [])
    const data: unknown[] = []
    for (let at = account.posts.length - 1; at >= 0 && data.length < limit; at--) {
      const thread = findVisible(account.posts[at]?.id ?? '', account)
      if (!thread || (onlyReplies && thread.replyTo === null)) continue
      if (thread.atMs >= since && thread.atMs <= until) data.push(viewThread(context, thread, fields))
    }
    return json(200, { data, ...(data.length > 0 ? { paging: { cursors: { before: 'before', after: 'after' } } } : {}) })
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const scope = 'threads_basic'
  return [
    {
      method: 'GET',
      path: '/v1.0/:id',
      operation: ({ path }) => (path.endsWith('/me') ? 'account' : 'check'),
      scope,
      charges,
      handle: (call, { account }) => readObject(call, account),
    },
    {
      method: 'GET',
      path: '/v1.0/:user/threads',
      operation: 'find',
      scope,
      charges,
      handle: (call, { account }) => list(call, account),
    },
    {
      method: 'GET',
      path: '/v1.0/:user/replies',
      operation: 'find',
      scope: 'threads_read_replies',
      charges,
      handle: (call, { account }) => list(call, account, { onlyReplies: true }),
    },
    {
      method: 'GET',
      path: '/v1.0/:user/threads_publishing_limit',
      operation: 'other',
      scope: 'threads_content_publish',
      charges,
      handle(call, { account }) {
        requireOwner(call, account)
        return json(200, { data: [viewQuota(context, account, fieldsOf(call, ['quota_usage', 'config']))] })
      },
    },
    {
      method: 'GET',
      path: '/v1.0/:id/insights',
      operation: 'metrics',
      scope: 'threads_manage_insights',
      charges,
      handle(call, { account }) {
        const thread = findVisible(call.params['id'] ?? '', account)
        if (!thread) throw missingObject(call.params['id'] ?? '')
        const metrics = (call.query.get('metric') ?? '').split(',').filter((name) => name !== '')
        const { likes = 0, comments = thread.replies, shares = 0, impressions = 0 } = thread.figures ?? {}
        const values: Record<string, number> = { views: impressions, likes, replies: comments, reposts: shares }
        return json(200, {
          data: metrics.map((name) => ({
            name,
            period: 'lifetime',
            values: [{ value: values[name] ?? 0 }],
            title: name,
            id: `${thread.id}/insights/${name}/lifetime`,
          })),
        })
      },
    },
    {
      method: 'GET',
      path: '/v1.0/:user/threads_insights',
      operation: 'account',
      scope: 'threads_manage_insights',
      charges,
      handle(call, { account }) {
        requireOwner(call, account)
        const metrics = (call.query.get('metric') ?? '').split(',').filter((name) => name !== '')
        return json(200, {
          data: metrics.map((name) => ({
            name,
            period: 'day',
            title: name,
            total_value: { value: name === 'followers_count' ? followersOf(account) : 0 },
            id: `${account.id}/insights/${name}/day`,
          })),
        })
      },
    },
    {
      method: 'DELETE',
      path: '/v1.0/:id',
      operation: 'remove',
      scope: 'threads_delete',
      charges,
      handle(call, { account }) {
        const thread = find(call.params['id'] ?? '', account)
        if (!thread) throw missingObject(call.params['id'] ?? '')
        chargeQuota(context, account, 'deletes')
        thread.deleted = true
        return json(200, { success: true, deleted_id: thread.id })
      },
    },
  ]
}

/** Graph accepts Unix seconds and dates. */
function parseTimeMs(value: string | null): number | undefined {
  if (value === null) return undefined
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value)
}

function viewUser(context: PlatformContext, { id, handle }: Account, fields: readonly string[]) {
  const picture = context.avatarUrlOf(handle)
  const all = { username: handle, name: handle, threads_profile_picture_url: picture, threads_biography: '', is_verified: false }
  return { ...pick(all, fields), id }
}

function viewContainer(context: PlatformContext, container: Container, fields: readonly string[]) {
  const all = { status: shownStateOf(container, context), error_message: errorOf(container, context.now()) }
  return { ...pick(all, fields), id: container.id }
}

function viewQuota(context: PlatformContext, account: Account, fields: readonly string[]) {
  const config = (name: string) => {
    const limit = context.limits.all()[name]
    return { quota_total: limit?.max, quota_duration: (limit?.windowMs ?? 0) / 1000 }
  }
  const used = (name: string) => context.limits.used(account, name, context.now())
  const all = {
    quota_usage: used('posts'),
    config: config('posts'),
    reply_quota_usage: used('replies'),
    reply_config: config('replies'),
    delete_quota_usage: used('deletes'),
    delete_config: config('deletes'),
  }
  return pick(all, fields)
}
