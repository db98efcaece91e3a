import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ConnectFlowTable } from '../../../infra/db/tables.ts'

export type ConnectFlowRow = Selectable<ConnectFlowTable>

/** Those of the workspace that nobody came back from go at the same time. */
export async function insertFlow(tx: Tx, row: Insertable<ConnectFlowTable>, now: Date): Promise<void> {
  await tx.deleteFrom('connect_flow').where('workspace_id', '=', row.workspace_id).where('expires_at', '<=', now).execute()
  await tx.insertInto('connect_flow').values(row).execute()
}

/** Across workspaces by need: a browser comes back with a state and nothing else. Taken is gone, so a state works once. */
export async function takeFlow(system: Db, stateHash: Buffer): Promise<ConnectFlowRow | undefined> {
  return system.deleteFrom('connect_flow').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
}
