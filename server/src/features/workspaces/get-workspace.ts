import type { QueryOf, Workspace, workspaces } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { presentWorkspace } from './present-workspace.ts'
import { findWorkspace, listWorkspacesOf } from './workspace.store.ts'

export async function getWorkspace(scope: RequestScope): Promise<Workspace> {
  const row = await findWorkspace(scope.tx, scope.principal.workspaceId)
  if (!row) throw problem('workspace_not_found')
  return presentWorkspace(scope, row, scope.principal.role)
}

export async function getWorkspaces(scope: RequestScope, query: QueryOf<typeof workspaces.list>): Promise<Workspace[]> {
  const rows = await listWorkspacesOf(scope.tx, scope.principal.personId, query)
  return Promise.all(rows.map((row) => presentWorkspace(scope, row, row.role)))
}
