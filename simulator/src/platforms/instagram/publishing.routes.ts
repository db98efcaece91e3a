import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account, Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { canPublish, createMetaContainer, mediaOf, stateOfContainer } from '../meta/container.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { toShortcode } from '../meta/to-shortcode.ts'
import { readContainer, type Container, type ContainerKind } from './container.ts'
import { expired, missingObject, notFinished, notFound, quotaReached } from './errors.ts'
import { fetchMedia } from './fetch-media.ts'

export type IgMedia = Post & { kind: ContainerKind; comments: number }
export type Tables = { containers: Map<string, Container>; published: Map<string, IgMedia>; nextId: () => string }

const scope = 'instagram_business_content_publish'

export function publishingRoutes(context: PlatformContext, { containers, published, nextId }: Tables): Route[] {
  const createContainer = (call: Call, { account }: Session): Reply => {
    requireOwner(call, account)
    const { kind, caption, alt, source, children: ids, tags, isItem } = readContainer(call)
    const children = ids.flatMap((id) => containers.get(id) ?? []).filter((item) => item.account === account && item.isItem)
    if (children.length < ids.length) throw badParameter('Some carousel children do not exist')
    if (children.some((child) => stateOfContainer(child, context.now()) !== 'FINISHED')) throw notFinished()
    charge(context, account, 'containers')
    const parts = { id: nextId(), account, isItem, children }
    const base = createMetaContainer<number>(context, parts, { isFetched: source !== undefined })
    const container: Container = { ...base, kind, caption, request: call.fields ?? {} }
    containers.set(container.id, container)
    if (source) void fetchMedia(context, container, { ...source, alt, tags, mediaId: nextId() })
    return json(200, { id: container.id })
  }

  /** The irreversible step. Meta does not document what a second publish of a container does, so it is a setting. */
  const publish = (call: Call, { account }: Session): Reply => {
    requireOwner(call, account)
    const container = containers.get(call.parameter('creation_id') ?? '')
    if (!container || container.account !== account || container.isItem) throw notFound()
    const state = stateOfContainer(container, context.now())
    if (state === 'EXPIRED') throw expired()
    if (!canPublish(container, context)) throw state === 'PUBLISHED' ? notFound() : notFinished()
    charge(context, account, 'posts')
    container.publishedAtMs ??= context.now()
    const post = postOf(container, nextId())
    published.set(post.id, post)
    context.commit(post, call)
    return json(200, { id: post.id })
  }

  const postOf = (container: Container, id: string): IgMedia => ({
    platform: context.name,
    id,
    account: container.account,
    text: textOfContainer(container),
    url: `${context.origin}/${container.kind === 'REELS' ? 'reel' : 'p'}/${toShortcode(id)}/`,
    replyTo: null,
    atMs: context.now(),
    deleted: false,
    media: mediaOf(container),
    request: container.request,
    kind: container.kind,
    comments: 0,
  })

  const readSubmit = (call: Call): SubmitRequest => {
    const key = call.parameter('creation_id') ?? null
    const container = containers.get(key ?? '')
    return { operation: 'publish_container', text: container ? textOfContainer(container) : '', key, replyTo: null }
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  return [
    { method: 'POST', path: '/v26.0/:user/media', operation: 'stage', scope, charges, handle: createContainer },
    { method: 'POST', path: '/v26.0/:user/media_publish', operation: 'submit', scope, charges, readSubmit, handle: publish },
  ]
}

/** Stories have no caption. */
function textOfContainer({ kind, caption }: Container): string {
  return kind === 'STORIES' ? '' : caption
}

export function requireOwner(call: Call, account: Account): void {
  const user = call.params['user'] ?? ''
  if (user !== 'me' && user !== account.id) throw missingObject(user)
}

function charge(context: PlatformContext, account: Account, limit: 'posts' | 'containers'): void {
  if (context.limits.charge(account, { limit, cost: 1 }, context.now())?.exceeded === true) throw quotaReached()
}
