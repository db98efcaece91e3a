import type { Call } from '../../http/call.ts'
import { isFields, textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { findActingAccount, isPage, canActFor } from './author.ts'
import { accessDenied, invalidField, refuseRest } from './errors.ts'
import type { Share } from './posts.routes.ts'
import { requireScope, versioned } from './versioned.ts'

type Tables = { shares: Map<string, Share>; nextId: () => string }

/** Comments and statistics of a post. */
export function socialRoutes(context: PlatformContext, { shares, nextId }: Tables): Route[] {
  const load = ({ params }: Call): Share => {
    const share = shares.get(params['urn'] ?? '')
    if (!share || share.deleted) throw refuseRest(404, 'RESOURCE_NOT_FOUND', `Unable to obtain activity for ${params['urn']}`)
    return share
  }

  const comment = (call: Call, session: Session): Reply => {
    const { actor, object, message } = call.fields ?? {}
    const account = findActingAccount(context, session, textOf(actor)) ?? session.account
    const ownerKind = isPage(account) ? 'organization' : 'member'
    // The page of the comments API lists no other scope (learn.microsoft.com, comments-api, 2026-08).
    requireScope(session, `w_${ownerKind}_social_feed`)
    const share = load(call)
    // github.com/gitroomhq/postiz-app issue 408: right after the post.
    if (share.commentableAtMs > context.now())
      throw refuseRest(404, 'RESOURCE_NOT_FOUND', `Received error for ${share.id} from domain authorization endpoint`)
    const text = isFields(message) ? textOf(message['text']) : undefined
    if (text === undefined || text === '') throw refuseRest(400, 'MISSING_FIELD', 'message.text is required')
    if (actor !== account.id) throw accessDenied('Actor does not match the token.')
    if (object !== share.id) throw invalidField('object', 'must be the URN in the path')
    const id = nextId()
    const head = { platform: context.name, account, text, url: share.url, replyTo: share.id, atMs: context.now(), deleted: false }
    share.comments += 1
    const post = { ...head, id: `urn:li:comment:(${share.id},${id})`, media: [] }
    context.commit(post, call)
    return json(201, viewComment(post), { 'x-restli-id': id })
  }

  const listComments = (call: Call, session: Session): Reply => {
    requireScope(session, 'r_organization_social_feed')
    const share = load(call)
    if (!isPage(share.account) || !canActFor(context, session, share.account)) throw accessDenied()
    const elements = share.account.posts.filter((post) => post.replyTo === share.id && context.isVisible(post)).map(viewComment)
    return json(200, { elements, paging: { start: 0, count: elements.length, links: [] } })
  }

  /** LinkedIn omits posts without activity. */
  const measure = ({ query }: Call, session: Session): Reply => {
    requireScope(session, 'rw_organization_admin')
    const page = findActingAccount(context, session, query.get('organizationalEntity'))
    if (!page || !isPage(page)) throw accessDenied()
    const elements = ['shares', 'ugcPosts'].flatMap((name) =>
      urnsOf(query.get(name))
        .flatMap((urn) => shares.get(urn) ?? [])
        .filter((share) => (share.comments > 0 || share.figures) && context.isVisible(share))
        .map((share) => ({
          organizationalEntity: page.id,
          [name === 'shares' ? 'share' : 'ugcPost']: share.id,
          totalShareStatistics: {
            impressionCount: share.figures?.impressions ?? 0,
            uniqueImpressionsCount: share.figures?.impressions ?? 0,
            clickCount: share.figures?.clicks ?? 0,
            likeCount: share.figures?.likes ?? 0,
            commentCount: share.figures?.comments ?? share.comments,
            shareCount: share.figures?.shares ?? 0,
            engagement: 0,
          },
        })),
    )
    return json(200, { elements, paging: { start: 0, count: 10, links: [] } })
  }

  const readSubmit = ({ fields = {}, params }: Call): SubmitRequest => {
    const { actor, message } = fields
    const text = isFields(message) ? (textOf(message['text']) ?? '') : ''
    const account = context.accounts.findById(textOf(actor) ?? '')?.handle
    return { operation: 'comment', text, key: null, replyTo: params['urn'] ?? null, account }
  }

  const comments = '/rest/socialActions/:urn/comments'
  return [
    { method: 'POST', path: comments, operation: 'submit', readSubmit, handle: versioned(context, comment) },
    { method: 'GET', path: comments, operation: 'find', handle: versioned(context, listComments) },
    {
      method: 'GET',
      path: '/rest/organizationalEntityShareStatistics',
      operation: 'metrics',
      handle: versioned(context, measure),
    },
  ]
}

function viewComment({ id, account, replyTo, text, atMs }: Pick<Share, 'id' | 'account' | 'replyTo' | 'text' | 'atMs'>) {
  const created = { actor: account.id, time: atMs }
  return {
    id: id.slice(id.lastIndexOf(',') + 1, -1),
    commentUrn: id,
    actor: account.id,
    object: replyTo,
    message: { attributes: [], text },
    created,
    lastModified: created,
  }
}

/** Rest.li 2.0 writes a list as `List(a,b)`. */
function urnsOf(list: string | null): string[] {
  const inner = /^List\((.*)\)$/.exec(list ?? '')?.[1]
  return inner === undefined || inner === '' ? [] : inner.split(',').map((urn) => decodeURIComponent(urn))
}
