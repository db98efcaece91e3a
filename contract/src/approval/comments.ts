import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp, Uuid } from '../primitives.ts'

/** At most this many comments of a post. */
export const commentsMax = 500
const commentTextMax = 2000

const commentAudiences = ['members', 'client'] as const
export type CommentAudience = (typeof commentAudiences)[number]

const Text = Type.String({ minLength: 1, maxLength: commentTextMax })
const Mentions = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'The `userId`s of members who are mentioned. The text names them as it likes',
})

/** What people say to each other about a post. It is sent to no platform. */
export const PostComment = StrictObject({
  id: ObjectId,
  text: Type.String({ description: 'Plain text' }),
  audience: Type.Enum([...commentAudiences], {
    description: 'members: the members of the workspace; client: also whoever opens a link for approval of the post',
  }),
  by: Nullable(
    StrictObject({
      userId: Type.String(),
      name: Nullable(Type.String({ description: 'Null if the account no longer exists' })),
      apiKeyId: Nullable(Uuid),
    }),
  ),
  client: Nullable(
    StrictObject({ name: Type.String({ description: 'As the person gave it, without proof' }), linkId: ObjectId }),
  ),
  mentions: Type.Array(StrictObject({ userId: Type.String(), name: Nullable(Type.String()) })),
  createdAt: Timestamp,
  editedAt: Nullable(Timestamp),
})
export type PostComment = Static<typeof PostComment>

const say = { scope: 'content:draft', role: 'viewer', workspace: 'header', ok: 200 } as const
const CommentParam = StrictObject({ ...IdParam.properties, commentId: Type.String({ minLength: 1, maxLength: 64 }) })

export const comments = {
  list: endpoint({
    id: 'comments.list',
    method: 'GET',
    path: '/content/:id/comments',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    summary: 'List the comments of a post, oldest first',
    params: IdParam,
    returns: Type.Array(PostComment),
    ok: 200,
    errors: ['post_not_found'],
    audit: null,
  }),
  create: endpoint({
    ...say,
    id: 'comments.create',
    method: 'POST',
    path: '/content/:id/comments',
    summary: 'Comment on a post, for the members or also for the client',
    params: IdParam,
    body: StrictObject({
      text: Text,
      audience: Type.Optional(Type.Enum([...commentAudiences], { description: 'Default: members' })),
      mentions: Type.Optional(Mentions),
    }),
    returns: PostComment,
    ok: 201,
    errors: ['post_not_found', 'member_not_found', 'quota_reached', 'role_forbidden'],
    audit: 'comment.create',
  }),
  update: endpoint({
    ...say,
    id: 'comments.update',
    method: 'PATCH',
    path: '/content/:id/comments/:commentId',
    summary: 'Change a comment of your own',
    params: CommentParam,
    body: StrictObject({ text: Type.Optional(Text), mentions: Type.Optional(Mentions) }),
    returns: PostComment,
    errors: ['post_not_found', 'comment_not_found', 'member_not_found'],
    audit: 'comment.update',
  }),
  remove: endpoint({
    ...say,
    id: 'comments.remove',
    method: 'DELETE',
    path: '/content/:id/comments/:commentId',
    summary: 'Delete a comment: your own, and as an admin any',
    params: CommentParam,
    returns: Type.Null(),
    errors: ['post_not_found', 'comment_not_found'],
    audit: 'comment.delete',
  }),
}
