import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { fieldsOf, pick, timestampOf } from '../meta/graph-fields.ts'
import { missingObject } from './errors.ts'
import type { IgMedia, Tables } from './publishing.routes.ts'

export function commentRoutes(context: PlatformContext, { published, nextId }: Tables): Route[] {
  const load = ({ params }: Call, account: Account): IgMedia => {
    const media = published.get(params['id'] ?? '')
    if (!media || media.account !== account) throw missingObject(params['id'] ?? '')
    return media
  }

  const create = (call: Call, { account }: Session): Reply => {
    const media = load(call, account)
    const text = call.parameter('message') ?? ''
    if (text === '') throw badParameter('The parameter message is required')
    if (media.kind === 'STORIES') throw badParameter('Stories cannot be commented on')
    const id = nextId()
    const head = { platform: context.name, id, account, text, url: media.url, replyTo: media.id }
    media.comments += 1
    context.commit({ ...head, atMs: context.now(), deleted: false, media: [] }, call)
    return json(200, { id })
  }

  const list = (call: Call, { account }: Session): Reply => {
    const media = load(call, account)
    const fields = fieldsOf(call, ['timestamp', 'text'])
    const comments = account.posts.filter((post) => post.replyTo === media.id && context.isVisible(post)).toReversed()
    const data = comments.map(({ id, text, atMs }) => ({ ...pick({ text, timestamp: timestampOf(atMs) }, fields), id }))
    return json(200, { data })
  }

  const scope = 'instagram_business_manage_comments'
  const charges = [{ limit: 'calls', cost: 1 }]
  return [
    { method: 'POST', path: '/v26.0/:id/comments', operation: 'submit', scope, charges, readSubmit, handle: create },
    { method: 'GET', path: '/v26.0/:id/comments', operation: 'find', scope, charges, handle: list },
  ]
}

function readSubmit(call: Call): SubmitRequest {
  return { operation: 'comment', text: call.parameter('message') ?? '', key: null, replyTo: call.params['id'] ?? null }
}
