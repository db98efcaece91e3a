import { sql, type Selectable } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../infra/db/db.ts'
import type { WorkspaceMoveTable } from '../../infra/db/tables.ts'

type Row = Selectable<WorkspaceMoveTable>
export type MoveState = Pick<Row, 'state' | 'cell'>

/** Not limited to a workspace: the workspace may be in another cell. */
export async function findMove(system: Db, workspaceId: string): Promise<MoveState | undefined> {
  return system.selectFrom('workspace_move').where('id', '=', workspaceId).select(['state', 'cell']).executeTakeFirst()
}

/** The move of the workspace that has this key or invitation. Not limited to a workspace: only the secret is known. */
export async function findMoveOfSecret(system: Db, hash: Buffer): Promise<MoveState | undefined> {
  const { rows } = await sql<MoveState>`
    select state, cell from workspace_move where secret_hashes @> array[${hash}::bytea] order by changed_at desc limit 1`.execute(
    system,
  )
  return rows[0]
}

/** Locks the row until the transaction ends: two commands for one workspace run one after the other. */
export async function lockMove(client: pg.Client, workspaceId: string): Promise<MoveState | undefined> {
  const { rows } = await client.query<MoveState>('select state, cell from workspace_move where id = $1 for update', [workspaceId])
  return rows[0]
}

export async function saveMove(
  client: pg.Client,
  { workspaceId, state, cell }: MoveState & { workspaceId: string },
): Promise<void> {
  await client.query(
    `insert into workspace_move (id, state, cell)
     values ($1, $2, $3)
     on conflict (id) do update set state = excluded.state, cell = excluded.cell, changed_at = now()`,
    [workspaceId, state, cell],
  )
}

/** Its parcels are deleted with it. */
export async function deleteMove(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query('delete from workspace_move where id = $1', [workspaceId])
}
