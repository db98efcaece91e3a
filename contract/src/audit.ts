import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Nullable, StrictObject, Timestamp, Uuid } from './primitives.ts'
import { readWorkspace, WorkspaceParam } from './workspace-endpoint.ts'

/** One change in a workspace: who changed what and when. `traceId` is the id of the request in the log. */
export const AuditEntry = StrictObject({
  id: Uuid,
  at: Timestamp,
  action: Type.String({ description: 'For example post.create or member.remove' }),
  subjectId: Nullable(Type.String({ description: 'The id of the object that was changed' })),
  userId: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'The e-mail address of the user; null if the account no longer exists' })),
  apiKeyId: Nullable(Uuid),
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
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the previous page' })),
    }),
    returns: StrictObject({ data: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) }),
    errors: [],
  }),
}
