import type { Call } from '../../http/call.ts'
import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Post } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { SubmitRequest } from '../../state/submits.ts'
import { plainText } from '../../text/read-html.ts'
import { refusal } from './errors.ts'
import type { BlogPost } from './posts.routes.ts'
import { api, isModerator } from './site.ts'

type Comment = Post & { raw: string }

export function commentRoutes(context: PlatformContext, findPost: (id: string | undefined) => BlogPost | undefined): Route[] {
  const comments = context.createTable<Comment>('comments')
  const alive = () => [...comments.values()].filter(({ deleted }) => !deleted)

  const create = (call: Call, { account }: Session) => {
    const fields = call.fields ?? {}
    const post = findPost(textOf(fields['post']))
    if (!post) throw refusal('rest_comment_invalid_post_id')
    if (!post.areCommentsOpen) throw refusal('rest_comment_closed')
    const raw = textOf(fields['content']) ?? ''
    if (raw.trim() === '') throw refusal('rest_comment_content_invalid')
    const isRepeat = alive().some((each) => each.replyTo === post.id && each.account === account && each.raw === raw)
    if (isRepeat) throw refusal('comment_duplicate')
    const id = String(context.nextNumber())
    const url = `${post.url}#comment-${id}`
    const text = plainText(raw)
    const head = { platform: context.name, id, account, text, url, replyTo: post.id, atMs: context.now(), deleted: false }
    const comment: Comment = { ...head, media: [], raw }
    comments.set(id, comment)
    context.commit(comment, call)
    return json(201, view(comment, true))
  }

  /** Newest first. What was written, and not how the theme shows it, is for moderators only. */
  const list = ({ query }: Call, { account }: Session) => {
    const isEdit = query.get('context') === 'edit'
    if (isEdit && !isModerator(account)) throw refusal('rest_forbidden_context')
    const [size, page] = [Number(query.get('per_page') ?? 10), Number(query.get('page') ?? 1)]
    const found = alive()
      .filter((comment) => comment.replyTo === query.get('post') && context.isVisible(comment))
      .toReversed()
    return json(
      200,
      found.slice((page - 1) * size, page * size).map((comment) => view(comment, isEdit)),
    )
  }

  return [
    { method: 'POST', path: `${api}/comments`, operation: 'submit', readSubmit, handle: create },
    { method: 'GET', path: `${api}/comments`, operation: 'find', handle: list },
    {
      method: 'DELETE',
      path: `${api}/comments/:id`,
      operation: 'remove',
      handle({ params }, { account }) {
        const comment = comments.get(params['id'] ?? '')
        if (!comment || comment.deleted || comment.account !== account) throw refusal('rest_comment_invalid_id')
        comment.deleted = true
        return json(200, { deleted: true, previous: view(comment, true) })
      },
    },
  ]
}

/** The shown text has other quotes and dashes than what was written. */
function view({ id, account, replyTo, atMs, url, raw }: Comment, isEdit: boolean) {
  const rendered = `<p>${raw.replaceAll("'", '&#8217;').replaceAll('--', '&#8211;')}</p>\n`
  return {
    id: Number(id),
    post: Number(replyTo),
    author: Number(account.id),
    date_gmt: new Date(atMs).toISOString().slice(0, 19),
    link: url,
    status: 'approved',
    content: { rendered, ...(isEdit && { raw }) },
  }
}

function readSubmit({ fields = {} }: Call): SubmitRequest {
  const text = plainText(textOf(fields['content']) ?? '')
  return { operation: 'create_comment', text, key: null, replyTo: textOf(fields['post']) ?? null }
}
