import type { Workspace } from '@carillon/contract'
import type { Asked } from '../http/call.ts'
import { problem } from '../problem.ts'
import { presentWorkspace } from './present-workspace.ts'
import { findWorkspace, listWorkspacesOf } from './workspace.store.ts'

export async function getWorkspace(asked: Asked): Promise<Workspace> {
  const row = await findWorkspace(asked.tx, asked.principal.workspaceId)
  if (!row) throw problem('workspace_not_found')
  return presentWorkspace(asked, row, asked.principal.role)
}

export async function getWorkspaces(asked: Asked): Promise<Workspace[]> {
  const rows = await listWorkspacesOf(asked.tx, asked.principal.personId)
  return Promise.all(rows.map((row) => presentWorkspace(asked, row, row.role)))
}
