import type { Call } from '../../http/call.ts'
import { json, Refusal, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { canPublish, createMetaContainer, mediaOf, stateOfContainer } from '../meta/container.ts'
import { badParameter, graphError } from '../meta/graph-errors.ts'
import { toShortcode } from '../meta/to-shortcode.ts'
import { readContainer, type Container } from './container.ts'
import { mediaNotFound, missingObject, unfinishedChildren } from './errors.ts'
import { fetchMedia } from './fetch-media.ts'
import type { Thread } from './thread.ts'

type Tables = { containers: Map<string, Container>; threads: Map<string, Thread>; nextId: () => string }

export function publishingRoutes(context: PlatformContext, { containers, threads, nextId }: Tables): Route[] {
  const createContainer = (call: Call, { account }: Session): Container => {
    requireOwner(call, account)
    const { kind, text, alt, source, children, isItem } = readContainer(call)
    const replyTo = call.parameter('reply_to_id') ?? null
    if (replyTo !== null && threads.get(replyTo)?.deleted !== false) throw missingObject(replyTo)
    const items = children.flatMap((id) => containers.get(id) ?? []).filter((item) => item.account === account && item.isItem)
    if (items.length < children.length) throw badParameter('Some carousel children do not exist')
    if (items.some((item) => stateOfContainer(item, context.now()) !== 'FINISHED')) throw unfinishedChildren()
    const isFetched = source !== undefined && (kind === 'IMAGE' || kind === 'VIDEO')
    const parts = { id: nextId(), account, isItem, children: items }
    const base = createMetaContainer<string>(context, parts, { isFetched })
    const container: Container = { ...base, kind, text, replyTo, request: call.fields ?? {} }
    containers.set(container.id, container)
    if (isFetched) void fetchMedia(context, container, { url: source, alt, mediaId: nextId() })
    return container
  }

  /** The irreversible step. Meta does not document what a second publish of a container does, so it is a setting. */
  const publish = (container: Container, call: Call): Reply => {
    const { account, text, replyTo } = container
    const media = mediaOf(container)
    if (container.isItem || !canPublish(container, context)) throw mediaNotFound(container.id)
    chargeQuota(context, account, replyTo === null ? 'posts' : 'replies')
    const id = nextId()
    const url = `${context.origin}/@${account.handle}/post/${toShortcode(id)}`
    const head = { platform: context.name, id, account, text, url, replyTo, atMs: context.now(), deleted: false, media }
    const thread: Thread = { ...head, request: container.request, kind: container.kind, replies: 0 }
    const parent = replyTo === null ? undefined : threads.get(replyTo)
    if (parent) parent.replies += 1
    container.publishedAtMs ??= context.now()
    threads.set(id, thread)
    context.commit(thread, call)
    return json(200, { id })
  }

  const readPublishSubmit = (call: Call): SubmitRequest => {
    const key = call.parameter('creation_id') ?? null
    const container = containers.get(key ?? '')
    return { operation: 'publish_container', text: container?.text ?? '', key, replyTo: container?.replyTo ?? null }
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  const isAutomatic = (call: Call) => call.parameter('auto_publish_text') === 'true' && call.parameter('media_type') === 'TEXT'
  return [
    {
      method: 'POST',
      path: '/v1.0/:user/threads',
      // With auto_publish_text the call that creates the container also publishes it.
      operation: (call) => (isAutomatic(call) ? 'submit' : 'stage'),
      scope: 'threads_content_publish',
      charges,
      readSubmit: (call) => (isAutomatic(call) ? readTextSubmit(call) : undefined),
      handle(call, session) {
        const container = createContainer(call, session)
        return isAutomatic(call) ? publish(container, call) : json(200, { id: container.id })
      },
    },
    {
      method: 'POST',
      path: '/v1.0/:user/threads_publish',
      operation: 'submit',
      scope: 'threads_content_publish',
      charges,
      readSubmit: readPublishSubmit,
      handle(call, { account }) {
        requireOwner(call, account)
        const id = call.parameter('creation_id')
        if (id === undefined) throw badParameter('The parameter creation_id is required')
        const container = containers.get(id)
        if (!container || container.account !== account) throw mediaNotFound(id)
        return publish(container, call)
      },
    },
  ]
}

function readTextSubmit(call: Call): SubmitRequest {
  const replyTo = call.parameter('reply_to_id') ?? null
  return { operation: 'create_and_publish', text: call.parameter('text') ?? '', key: null, replyTo }
}

export function requireOwner(call: Call, account: Account): void {
  const user = call.params['user'] ?? ''
  if (user !== 'me' && user !== account.id) throw missingObject(user)
}

export function chargeQuota(context: PlatformContext, account: Account, limit: 'posts' | 'replies' | 'deletes'): void {
  const limitStatus = context.limits.charge(account, { limit, cost: 1 }, context.now())
  if (limitStatus?.exceeded !== true) return
  const detail = `You have reached the maximum of ${limitStatus.max} ${limit} in 24 hours.`
  throw new Refusal(
    graphError(400, { message: 'Calls to this api have exceeded the rate limit.', code: 613, title: 'Limit reached', detail }),
  )
}
