import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp, Uuid } from '../primitives.ts'

/** At most this many posts are behind one link, and this many links of a workspace work at the same time. */
const linkPostsMax = 50
export const approvalLinksMax = 500

const Name = Type.String({ minLength: 1, maxLength: 60 })

/** A link with which a person without an account reads submitted posts, and approves them or asks for changes. */
export const ApprovalLink = StrictObject({
  id: ObjectId,
  posts: Type.Array(
    StrictObject({
      uploadId: ObjectId,
      revision: Type.String({
        description: 'What the post was when the link was made. The page says so if it is another one by now',
      }),
    }),
  ),
  name: Nullable(Type.String({ description: 'For whom it is; the page asks for the name of whoever decides' })),
  email: Nullable(Type.String()),
  mailed: Type.Boolean({ description: 'Whether the link was handed to the mail server of this installation' }),
  decides: Type.Boolean({
    description:
      'Whether the page approves without an account at this moment: it lends the right of the person or key that made the link, so it is false ' +
      'while that one needs an approval too. The page then shows the posts, takes comments, and sends approvers to the web app',
  }),
  createdBy: StrictObject({ userId: Type.String(), name: Nullable(Type.String()), apiKeyId: Nullable(Uuid) }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: Nullable(Timestamp),
})
export type ApprovalLink = Static<typeof ApprovalLink>

const write = { scope: 'content:draft', role: 'editor', workspace: 'header', ok: 200 } as const

export const approvalLinks = {
  list: endpoint({
    id: 'approvalLinks.list',
    method: 'GET',
    path: '/approval-links',
    scope: 'content:read',
    role: 'viewer',
    workspace: 'header',
    summary: 'List the newest links for approvals, without their addresses',
    query: StrictObject({
      post: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only links to this post, by its uploadId' })),
    }),
    returns: Type.Array(ApprovalLink),
    ok: 200,
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...write,
    id: 'approvalLinks.create',
    method: 'POST',
    path: '/approval-links',
    summary: 'Make a link for a person without an account; drafts are submitted with it. It works for 14 days',
    body: StrictObject({
      posts: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: linkPostsMax,
        uniqueItems: true,
        description: 'Drafts, which are submitted, and posts that wait for approval already',
      }),
      name: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'Of the person; the page suggests it' })),
      email: Type.Optional(
        Type.String({
          format: 'email',
          maxLength: 254,
          description: 'The link is mailed there, if this installation sends mail',
        }),
      ),
    }),
    returns: StrictObject({
      ...ApprovalLink.properties,
      url: Type.String({ description: 'Shown only here, because only a hash of it is stored' }),
    }),
    ok: 201,
    returnsSecret: true,
    errors: [
      'post_not_found',
      'not_a_draft',
      'post_invalid',
      'connection_unknown',
      'connection_needs_reconnect',
      'connection_not_allowed',
      'quota_reached',
      'mail_limit_reached',
    ],
    audit: 'approval_link.create',
  }),
  remove: endpoint({
    ...write,
    id: 'approvalLinks.remove',
    method: 'DELETE',
    path: '/approval-links/:id',
    summary: 'Revoke a link; its page shows nothing from then on',
    params: IdParam,
    returns: Type.Null(),
    errors: ['approval_link_not_found'],
    audit: 'approval_link.delete',
  }),
}
