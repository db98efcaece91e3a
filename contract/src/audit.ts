import { Type, type Static } from 'typebox'
import { endpoint, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { DateOrInstant, Nullable, StrictObject, Timestamp, Uuid } from './primitives.ts'

/** One change in a workspace: who changed what and when. `traceId` is the id of the request in the log. */
export const AuditEntry = StrictObject({
  id: Uuid,
  at: Timestamp,
  action: Type.String({ description: 'For example post.create or member.remove' }),
  subjectId: Nullable(Type.String({ description: 'The id of the object that was changed' })),
  userId: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'The e-mail address of the user; null if the account no longer exists' })),
  apiKeyId: Nullable(Uuid),
  client: Type.Union(
    [StrictObject({ grantId: Uuid, name: Type.String({ description: 'Its name when it was connected' }) }), Type.Null()],
    { description: 'The connected program that acted for the user' },
  ),
  traceId: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

export const auditEndpoints = {
  audit: endpoint({
    ...readWorkspace,
    role: 'admin',
    id: 'workspaces.audit',
    method: 'GET',
    path: '/workspaces/:id/audit',
    summary: 'List the changes in the workspace, newest first',
    params: WorkspaceParam,
    query: StrictObject({
      action: Type.Optional(
        Type.String({
          'x-message': 'Must be actions, separated by commas, such as post.create,member.',
          pattern: '^[a-z_]+(\\.[a-z_]+)?(,[a-z_]+(\\.[a-z_]+)?)*$',
          maxLength: 500,
          examples: ['post,member.remove'],
          description: 'Only these actions; `post` means all actions of posts; separated by commas',
        }),
      ),
      userId: Type.Optional(Type.String({ maxLength: 64, description: 'Only changes of this person' })),
      subjectId: Type.Optional(Type.String({ maxLength: 64, description: 'Only changes of this object' })),
      from: Type.Optional(DateOrInstant('The start: a date or an instant')),
      to: Type.Optional(DateOrInstant('The end: a date, which is included completely, or an instant')),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the previous page' })),
    }),
    returns: StrictObject({ data: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) }),
    errors: [],
  }),
}
