import type { Role } from '@carillon/contract'
import { type Selectable, type Updateable, sql } from 'kysely'
import { containsText } from '../../infra/db/sql-parts.ts'
import { type Db, type Tx, runStatement } from '../../infra/db/db.ts'
import type { WorkspaceTable } from '../../infra/db/tables.ts'

export type WorkspaceRow = Selectable<WorkspaceTable>

export async function findWorkspace(tx: Db | Tx, id: string): Promise<WorkspaceRow | undefined> {
  return tx.selectFrom('workspace').where('id', '=', id).selectAll().executeTakeFirst()
}

type WorkspaceFilter = { externalId?: string; search?: string; limit?: number; cursor?: string }

const pageMax = 100

/** Not limited to a workspace: lists all workspaces of a person. */
export async function listWorkspacesOf(
  system: Db | Tx,
  personId: string,
  { externalId, search, limit, cursor }: WorkspaceFilter = {},
): Promise<(WorkspaceRow & { role: Role })[]> {
  let query = system
    .selectFrom('workspace')
    .innerJoin('member', 'member.workspace_id', 'workspace.id')
    .where('member.person_id', '=', personId)
  if (externalId !== undefined) query = query.where('workspace.external_id', '=', externalId)
  if (search !== undefined) query = query.where(containsText('workspace.name', search))
  if (cursor !== undefined) query = query.where('workspace.id', '>', cursor).limit(limit ?? pageMax)
  else if (limit !== undefined) query = query.limit(limit)
  return query.selectAll('workspace').select('member.role').orderBy('workspace.id').execute()
}

/** Until the transaction ends, no other one gives this id to a workspace. */
export async function lockExternalId(tx: Tx, externalId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspace ${externalId}`}, 4))`.execute(tx)
}

/** Not limited to a workspace: whether a person owns another workspace with this id. */
export async function ownsExternalId(
  system: Db | Tx,
  { personId, externalId, exceptId }: { personId: string; externalId: string; exceptId: string },
): Promise<boolean> {
  const found = await system
    .selectFrom('workspace')
    .innerJoin('member', 'member.workspace_id', 'workspace.id')
    .where('member.person_id', '=', personId)
    .where('member.role', '=', 'owner')
    .where('workspace.external_id', '=', externalId)
    .where('workspace.id', '<>', exceptId)
    .select('workspace.id')
    .executeTakeFirst()
  return found !== undefined
}

export async function insertWorkspace(system: Db | Tx, row: WorkspaceRow, ownerId: string): Promise<void> {
  await system
    .insertInto('workspace')
    .values({ ...row, metadata: JSON.stringify(row.metadata), utm: row.utm && JSON.stringify(row.utm) })
    .execute()
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

/** Counts one accepted post and returns the month's total. Shards prevent the requests of a busy workspace from waiting for one row. */
export async function countAcceptedPost(
  tx: Tx,
  { workspaceId, month, shard }: { workspaceId: string; month: string; shard: number },
): Promise<number> {
  const [row] = await runStatement<{ total: number }>(tx, countText, [workspaceId, month, shard])
  return row?.total ?? 0
}

const countText = `
  with counted as (
    insert into usage_month (workspace_id, month, shard, posts)
    values ($1, $2, $3, 1)
    on conflict (workspace_id, month, shard) do update
      set posts = usage_month.posts + 1
    returning posts
  )
  select (
    counted.posts + coalesce(
      (
        select sum(posts)
        from usage_month
        where workspace_id = $1
          and month = $2
          and shard <> $3
      ),
      0
    )
  )::int as total
  from counted`

export async function sumAcceptedPosts(tx: Db | Tx, workspaceId: string, month: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(posts), 0)::int as total
    from usage_month
    where workspace_id = ${workspaceId}
      and month = ${month}
  `.execute(tx)
  return rows[0]?.total ?? 0
}
