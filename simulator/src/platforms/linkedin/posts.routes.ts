import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import type { Asset } from './asset.ts'
import { findActingAccount, isPage, canActFor } from './author.ts'
import { accessDenied, invalidField, refuseRest } from './errors.ts'
import { readPost } from './read-post.ts'
import { showLittleText } from './show-little-text.ts'
import { requireScope, versioned } from './versioned.ts'

export type Share = Post & {
  commentary: string
  content: unknown
  visibility: unknown
  comments: number
  commentableAtMs: number
}
type Tables = { shares: Map<string, Share>; assets: ReadonlyMap<string, Asset>; nextId: () => string }

export function postRoutes(context: PlatformContext, { shares, assets, nextId }: Tables): Route[] {
  // The key is the author and the content: the same text with another upload is not a duplicate.
  const recent = context.createTable<Share>('recent')

  const create = (call: Call, session: Session): Reply => {
    const fields = call.fields
    if (!fields) throw refuseRest(400, 'INVALID_VALUE_FOR_FIELD', 'The body is not JSON')
    const account = findActingAccount(context, session, textOf(fields['author'])) ?? session.account
    requireScope(session, isPage(account) ? 'w_organization_social' : 'w_member_social')
    const { commentary, text, media, content, isVideo } = readPost(fields, { context, account, assets })
    const key = JSON.stringify([account.id, commentary, content ?? null])
    const { duplicateFilter, duplicateWindowMs = 0 } = context.settings
    const duplicate = duplicateFilter === true ? recent.get(key) : undefined
    if (duplicate && !duplicate.deleted && duplicate.atMs + duplicateWindowMs > context.now())
      throw refuseRest(422, 'DUPLICATE_POST', `Content is a duplicate of ${duplicate.id}`)

    const id = `urn:li:${isVideo || media.length > 1 ? 'ugcPost' : 'share'}:${nextId()}`
    const head = { platform: context.name, id, account, text, replyTo: null, atMs: context.now(), deleted: false, media }
    const url = `${context.origin}/feed/update/${id}/`
    const { visibility } = fields
    const counts = { comments: 0, commentableAtMs: context.readyAtMs() }
    const share: Share = { ...head, url, request: fields, commentary, content, visibility, ...counts }
    shares.set(id, share)
    recent.set(key, share)
    context.commit(share, call)
    return { status: 201, headers: { 'x-restli-id': id, location: `/posts/${encodeURIComponent(id)}` }, body: '' }
  }

  /** An app can read the posts of a page if the user administers it, but not the posts of a person. */
  const list = ({ query }: Call, session: Session): Reply => {
    requireScope(session, 'r_organization_social')
    if (query.get('q') !== 'author') throw invalidField('q', 'author')
    const account = findActingAccount(context, session, query.get('author'))
    if (!account || !isPage(account)) throw accessDenied()
    const count = Math.min(100, Number(query.get('count') ?? 10))
    const own = account.posts
      .flatMap(({ id }) => shares.get(id) ?? [])
      .filter((share) => !share.deleted && context.isVisible(share))
    const elements = own.toReversed().slice(0, count).map(viewShare)
    return json(200, { elements, paging: { start: 0, count, links: [] } })
  }

  const remove = ({ params }: Call, session: Session): Reply => {
    const share = shares.get(params['urn'] ?? '')
    if (share && !canActFor(context, session, share.account)) throw accessDenied()
    if (share) share.deleted = true
    return { status: 204, headers: {}, body: '' }
  }

  const readSubmit = ({ fields = {} }: Call): SubmitRequest => {
    const account = context.accounts.findById(textOf(fields['author']) ?? '')?.handle
    return {
      operation: 'create_post',
      text: showLittleText(textOf(fields['commentary']) ?? ''),
      key: null,
      replyTo: null,
      account,
    }
  }

  return [
    { method: 'POST', path: '/rest/posts', operation: 'submit', readSubmit, handle: versioned(context, create) },
    { method: 'GET', path: '/rest/posts', operation: 'find', handle: versioned(context, list) },
    { method: 'DELETE', path: '/rest/posts/:urn', operation: 'remove', handle: versioned(context, remove) },
  ]
}

function viewShare({ id, account, atMs, commentary, content, visibility }: Share) {
  const times = { createdAt: atMs, publishedAt: atMs, lastModifiedAt: atMs }
  return {
    id,
    author: account.id,
    commentary,
    visibility,
    lifecycleState: 'PUBLISHED',
    ...times,
    ...(content ? { content } : {}),
  }
}
