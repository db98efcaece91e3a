import type { Call } from '../../http/call.ts'
import { isFields, textOf } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Realm } from '../../state/platform-context.ts'
import { accessDenied, invalidField, refuseRest } from './errors.ts'
import { findSpeaker, isPage, speaksFor } from './author.ts'
import type { Share } from './posts.routes.ts'
import { requireScope, versioned } from './versioned.ts'

type Shelf = { shares: Map<string, Share>; nextId: () => string }

/** Comments and figures: what happens around a post. */
export function socialRoutes(realm: Realm, { shares, nextId }: Shelf): Route[] {
  const load = ({ params }: Call): Share => {
    const share = shares.get(params['urn'] ?? '')
    if (!share || share.deleted) throw refuseRest(404, 'RESOURCE_NOT_FOUND', `Unable to obtain activity for ${params['urn']}`)
    return share
  }

  const comment = (call: Call, session: Session): Reply => {
    const { actor, object, message } = call.fields ?? {}
    const account = findSpeaker(realm, session, textOf(actor)) ?? session.account
    const whose = isPage(account) ? 'organization' : 'member'
    requireScope(session, `w_${whose}_social`, `w_${whose}_social_feed`)
    const share = load(call)
    const text = isFields(message) ? textOf(message['text']) : undefined
    if (text === undefined || text === '') throw refuseRest(400, 'MISSING_FIELD', 'message.text is required')
    if (actor !== account.id) throw accessDenied('Actor does not match the token.')
    if (object !== share.id) throw invalidField('object', 'must be the URN in the path')
    const id = nextId()
    const head = { platform: realm.name, account, text, url: share.url, replyTo: share.id, atMs: realm.now(), deleted: false }
    share.comments += 1
    const post = { ...head, id: `urn:li:comment:(${share.id},${id})`, media: [] }
    realm.commit(post, call.arrivedAtMs)
    return json(201, viewComment(post), { 'x-restli-id': id })
  }

  const listComments = (call: Call, session: Session): Reply => {
    requireScope(session, 'r_organization_social', 'r_organization_social_feed')
    const share = load(call)
    if (!isPage(share.account) || !speaksFor(realm, session, share.account)) throw accessDenied()
    const elements = share.account.posts.filter(({ replyTo }) => replyTo === share.id).map(viewComment)
    return json(200, { elements, paging: { start: 0, count: elements.length, links: [] } })
  }

  /** A post without activity is left out. */
  const measure = ({ query }: Call, session: Session): Reply => {
    requireScope(session, 'rw_organization_admin')
    const page = findSpeaker(realm, session, query.get('organizationalEntity'))
    if (!page || !isPage(page)) throw accessDenied()
    const elements = ['shares', 'ugcPosts'].flatMap((name) =>
      urnsOf(query.get(name))
        .flatMap((urn) => shares.get(urn) ?? [])
        .filter(({ comments, figures }) => comments > 0 || figures)
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

  const comments = '/rest/socialActions/:urn/comments'
  return [
    { method: 'POST', path: comments, operation: 'submit', handle: versioned(realm, comment) },
    { method: 'GET', path: comments, operation: 'find', handle: versioned(realm, listComments) },
    {
      method: 'GET',
      path: '/rest/organizationalEntityShareStatistics',
      operation: 'metrics',
      handle: versioned(realm, measure),
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
