import { Type, type Static } from 'typebox'
import { endpoint, readWorkspace, WorkspaceParam } from './endpoint.ts'
import { Nullable, StrictObject, Timestamp } from './primitives.ts'

/** The parts of an export, in the order in which its pages give them. */
export const exportParts = [
  'workspace',
  'members',
  'invitations',
  'connections',
  'followers',
  'apiKeys',
  'webhooks',
  'queues',
  'series',
  'labels',
  'notes',
  'reports',
  'posts',
  'mediaFolders',
  'media',
  'audit',
] as const
export type ExportPart = (typeof exportParts)[number]

/** One page of an export. All records of a page belong to the same part. */
export const ExportPage = StrictObject({
  exportedAt: Timestamp,
  part: Type.Enum([...exportParts]),
  records: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  nextCursor: Nullable(Type.String({ description: 'The cursor of the next page; null on the last page of the export' })),
})
export type ExportPage = Static<typeof ExportPage>

export const exportEndpoints = {
  export: endpoint({
    ...readWorkspace,
    role: 'owner',
    id: 'workspaces.export',
    method: 'GET',
    path: '/workspaces/:id/export',
    summary: 'Export everything in the workspace except its secrets, page by page',
    params: WorkspaceParam,
    query: StrictObject({
      cursor: Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the previous page' })),
    }),
    returns: ExportPage,
    errors: [],
  }),
}
