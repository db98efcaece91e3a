import type { Call } from '../../http/call.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { fieldsOf, pageOf, pick, timestampOf } from '../meta/graph-fields.ts'
import { missingObject } from './errors.ts'
import type { FacebookPost, Tables } from './post.ts'

export function commentRoutes(context: PlatformContext, { posts, nextId }: Tables): Route[] {
  /** The servers that take comments learn of a post some seconds after it was published. */
  const load = ({ params }: Call, account: Account): FacebookPost => {
    const post = posts.get(params['id'] ?? '')
    if (!post || post.deleted || post.account !== account || post.commentableAtMs > context.now())
      throw missingObject(params['id'] ?? '')
    return post
  }

  const create = (call: Call, { account }: Session): Reply => {
    const post = load(call, account)
    const text = call.parameter('message') ?? ''
    if (text === '') throw badParameter('(#100) The parameter message is required')
    if (post.kind === 'story') throw badParameter('(#100) Stories cannot be commented on')
    const id = `${post.id.split('_')[1]}_${nextId()}`
    post.comments += 1
    const head = { platform: context.name, id, account, text, url: post.url, replyTo: post.id }
    context.commit({ ...head, atMs: context.now(), deleted: false, media: [] }, call)
    return json(200, { id })
  }

  const list = (call: Call, { account }: Session): Reply => {
    const post = load(call, account)
    const comments = account.posts.filter((each) => each.replyTo === post.id && context.isVisible(each))
    const { data, paging } = pageOf(call, comments, context)
    const fields = fieldsOf(call, ['created_time', 'from', 'message'])
    const from = { id: account.id, name: account.handle }
    const views = data.map(({ id, text, atMs }) => ({
      ...pick({ message: text, created_time: timestampOf(atMs), from }, fields),
      id,
    }))
    return json(200, { data: views, paging })
  }

  const charges = [{ limit: 'calls', cost: 1 }]
  return [
    {
      method: 'POST',
      path: '/v26.0/:id/comments',
      operation: 'submit',
      scope: 'pages_manage_engagement',
      charges,
      readSubmit: (call) => {
        const replyTo = call.params['id'] ?? null
        return { operation: 'comment', text: call.parameter('message') ?? '', key: null, replyTo }
      },
      handle: create,
    },
    { method: 'GET', path: '/v26.0/:id/comments', operation: 'find', scope: 'pages_read_user_content', charges, handle: list },
  ]
}
