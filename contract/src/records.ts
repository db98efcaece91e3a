import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { read, WorkspaceParam } from './in-workspace.ts'
import { Closed, Nullable, Timestamp, Uuid } from './scalars.ts'

/** Who changed what, when. `traceId` leads to the log. */
export const AuditEntry = Closed({
  id: Uuid,
  at: Timestamp,
  action: Type.String({ description: 'For example post.create or member.remove' }),
  subjectId: Nullable(Type.String({ description: 'The id of what was changed' })),
  userId: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'Of the person, while we still know them' })),
  apiKeyId: Nullable(Uuid),
  traceId: Type.String(),
})
export type AuditEntry = Static<typeof AuditEntry>

/** The order in which an export tells things. */
export const exportParts = [
  'workspace',
  'members',
  'invitations',
  'connections',
  'apiKeys',
  'webhooks',
  'posts',
  'media',
  'audit',
] as const
export type ExportPart = (typeof exportParts)[number]

/** One page of an export: it holds records of one part. */
export const ExportPage = Closed({
  exportedAt: Timestamp,
  part: Type.Enum([...exportParts]),
  records: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  nextCursor: Nullable(Type.String({ description: 'For the next page; null at the end of the export' })),
})
export type ExportPage = Static<typeof ExportPage>

const Cursor = Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the page before' }))

export const recordEndpoints = {
  audit: endpoint({
    ...read,
    role: 'admin',
    id: 'workspaces.audit',
    method: 'GET',
    path: '/workspaces/:id/audit',
    summary: 'What was changed in the workspace, newest first',
    params: WorkspaceParam,
    query: Closed({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })), cursor: Cursor }),
    returns: Closed({ data: Type.Array(AuditEntry), nextCursor: Nullable(Type.String()) }),
    errors: [],
  }),
  export: endpoint({
    ...read,
    role: 'owner',
    id: 'workspaces.export',
    method: 'GET',
    path: '/workspaces/:id/export',
    summary: 'Everything in the workspace but its secrets, page by page',
    params: WorkspaceParam,
    query: Closed({ cursor: Cursor }),
    returns: ExportPage,
    errors: [],
  }),
}
