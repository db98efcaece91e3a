import { Type, type Static } from 'typebox'
import { endpoint, manageWorkspace, readWorkspace, WorkspaceParam } from '../endpoint.ts'
import { Nullable, StrictObject, Timestamp, Uuid } from '../primitives.ts'

export const Grant = StrictObject({
  id: Uuid,
  client: StrictObject({
    name: Type.String({ description: 'The name that the program gave itself' }),
    host: Nullable(Type.String({ description: 'Where the program is; null for the command line' })),
  }),
  rights: Type.Enum(['read', 'draft', 'publish'], { description: 'What the person chose' }),
  scopes: Type.Array(Type.String()),
  user: Nullable(StrictObject({ userId: Type.String(), name: Type.String(), email: Type.String() })),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Timestamp),
  until: Type.String({ format: 'date-time', description: 'When the access ends if the program is not used before' }),
})
export type Grant = Static<typeof Grant>

const GrantParam = StrictObject({ id: WorkspaceParam.properties.id, grantId: Uuid })

/** What programs may do for a person in a workspace. A person allows it on a page, so nothing here creates one. */
export const grants = {
  list: endpoint({
    ...readWorkspace,
    id: 'grants.list',
    method: 'GET',
    path: '/workspaces/:id/grants',
    summary: 'List the programs that act for you in the workspace; for admins, for all its members',
    params: WorkspaceParam,
    returns: Type.Array(Grant),
    errors: [],
  }),
  end: endpoint({
    ...manageWorkspace,
    role: 'viewer',
    id: 'grants.end',
    method: 'DELETE',
    path: '/workspaces/:id/grants/:grantId',
    summary: 'End the access of a program at once',
    params: GrantParam,
    returns: Type.Null(),
    errors: ['grant_not_found'],
    audit: 'grant.end',
  }),
}
