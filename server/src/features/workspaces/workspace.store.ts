import type { Role } from '@carillon/contract'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { WorkspaceTable } from '../../infra/db/tables.ts'

export type WorkspaceRow = Selectable<WorkspaceTable>

export async function findWorkspace(tx: Db | Tx, id: string): Promise<WorkspaceRow | undefined> {
  return tx.selectFrom('workspace').where('id', '=', id).selectAll().executeTakeFirst()
}

/** Not limited to a workspace: lists all workspaces of a person. */
export async function listWorkspacesOf(system: Db | Tx, personId: string): Promise<(WorkspaceRow & { role: Role })[]> {
  return system
    .selectFrom('workspace')
    .innerJoin('member', 'member.workspace_id', 'workspace.id')
    .where('member.person_id', '=', personId)
    .selectAll('workspace')
    .select('member.role')
    .orderBy('workspace.id')
    .execute()
}

export async function insertWorkspace(system: Db | Tx, row: Insertable<WorkspaceTable>, ownerId: string): Promise<void> {
  await system.insertInto('workspace').values(row).execute()
  await system
    .insertInto('member')
    .values({ workspace_id: row.id, person_id: ownerId, role: 'owner', joined_at: row.created_at })
    .execute()
}

export async function updateWorkspace(tx: Tx, id: string, change: Updateable<WorkspaceTable>): Promise<WorkspaceRow | undefined> {
  return tx.updateTable('workspace').where('id', '=', id).set(change).returningAll().executeTakeFirst()
}

/** All rows that refer to the workspace are deleted with it. */
export async function deleteWorkspace(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('workspace').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
