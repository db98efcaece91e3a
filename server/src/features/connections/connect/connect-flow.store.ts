import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ConnectFlowTable } from '../../../infra/db/tables.ts'

export type ConnectFlowRow = Selectable<ConnectFlowTable>

/** Also deletes the workspace's expired flows, from which the user did not return. */
export async function insertFlow(tx: Tx, row: Insertable<ConnectFlowTable>, now: Date): Promise<void> {
  await tx.deleteFrom('connect_flow').where('workspace_id', '=', row.workspace_id).where('expires_at', '<=', now).execute()
  await tx.insertInto('connect_flow').values(row).execute()
}

/** Across workspaces, because the browser returns with only a state. Deletes the flow, so that a state can be used only once. */
export async function takeFlow(system: Db, stateHash: Buffer): Promise<ConnectFlowRow | undefined> {
  return system.deleteFrom('connect_flow').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
}
