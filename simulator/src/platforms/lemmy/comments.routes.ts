import type { Call } from '../../http/call.ts'
import { flagOf, textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { refusal } from './errors.ts'
import { api, isKind, viewPerson } from './people.routes.ts'
import type { postRoutes } from './posts.routes.ts'
import { checkBody, cleanText } from './rules.ts'

const contentMax = 10_000

/** Comments are numbered apart from posts. */
export function commentRoutes(context: PlatformContext, posts: ReturnType<typeof postRoutes>): Route[] {
  const comments = context.createTable<Post>('comments')
  const numbers = context.createTable<number>('comment-numbers')

  const nextId = () => {
    const next = (numbers.get('last') ?? 0) + 1
    numbers.set('last', next)
    return String(next)
  }

  const create = (call: Call, { account }: Session) => {
    const fields = call.fields ?? {}
    const text = cleanText(textOf(fields['content']) ?? '', isKind(account, 'slurs'))
    checkBody(text, contentMax)
    const post = posts.find(fields['post_id'])
    if (isKind(account, 'banned')) throw refusal('person_is_banned_from_community')
    if (post.isLocked) throw refusal('locked')
    const id = nextId()
    const url = `${context.origin}/comment/${id}`
    const head = { platform: context.name, id, account, text, url, replyTo: post.id, atMs: context.now(), deleted: false }
    const comment: Post = { ...head, media: [] }
    post.commentCount += 1
    comments.set(id, comment)
    context.commit(comment, call)
    return json(200, { comment_view: view(comment), recipient_ids: [] })
  }

  const list = ({ query }: Call) => {
    if (query.get('sort') !== 'New') throw refusal('unknown', 'only the newest comments are simulated')
    const [size, page] = [Number(query.get('limit') ?? 10), Number(query.get('page') ?? 1)]
    if (!(size >= 1 && size <= 50)) throw refusal('couldnt_get_comments')
    const found = [...comments.values()]
      .filter((each) => !each.deleted && each.replyTo === query.get('post_id') && context.isVisible(each))
      .toReversed()
    return json(200, { comments: found.slice((page - 1) * size, page * size).map(view) })
  }

  const view = ({ id, account, text, url, replyTo, atMs, deleted }: Post) => ({
    comment: {
      id: Number(id),
      creator_id: Number(account.id),
      post_id: Number(replyTo),
      content: text,
      removed: false,
      published: new Date(atMs).toISOString().replace('Z', '123Z'),
      deleted,
      ap_id: url,
      local: true,
      path: `0.${id}`,
    },
    creator: viewPerson(context, account),
  })

  return [
    {
      method: 'POST',
      path: `${api}/comment`,
      operation: 'submit',
      charges: [{ limit: 'comment', cost: 1 }],
      readSubmit,
      handle: create,
    },
    { method: 'GET', path: `${api}/comment/list`, operation: 'find', charges: [{ limit: 'message', cost: 1 }], handle: list },
    {
      method: 'POST',
      path: `${api}/comment/delete`,
      operation: 'remove',
      charges: [{ limit: 'message', cost: 1 }],
      handle({ fields = {} }, { account }) {
        const comment = comments.get(textOf(fields['comment_id']) ?? '')
        if (!comment) throw refusal('couldnt_find_comment')
        if (comment.deleted === flagOf(fields['deleted'])) throw refusal('couldnt_update_comment')
        if (comment.account !== account) throw refusal('no_comment_edit_allowed')
        comment.deleted = flagOf(fields['deleted'])
        return json(200, { comment_view: view(comment), recipient_ids: [] })
      },
    },
  ]
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  const replyTo = textOf(fields['post_id']) ?? null
  return { operation: 'create_comment', text: textOf(fields['content']) ?? '', key: null, replyTo }
}
