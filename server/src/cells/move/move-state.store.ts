import type pg from 'pg'
import type { MoveState } from '../../infra/cell/leaving-workspace.store.ts'

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
