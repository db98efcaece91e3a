import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ConnectFlowTable } from '../../../infra/db/tables.ts'

export type ConnectFlowRow = Selectable<ConnectFlowTable>

/** Also deletes the workspace's expired flows, from which the user did not return. */
export async function insertFlow(tx: Tx, row: Insertable<ConnectFlowTable>, now: Date): Promise<void> {
  await tx.deleteFrom('connect_flow').where('workspace_id', '=', row.workspace_id).where('expires_at', '<=', now).execute()
  await tx.insertInto('connect_flow').values(row).execute()
}

type Returned = { attemptId: string; browserHash: Buffer; traceId: string; now: Date; expiresAt: Date }

/**
 * Across workspaces, because the browser returns with only a state. A flow is claimed once, so that a state can be used only once. What a
 * connect link started comes back in the browser that started it: otherwise a sign-in of somebody else could be handed to this browser.
 */
export async function claimFlow(system: Db, stateHash: Buffer, returned: Returned): Promise<ConnectFlowRow | undefined> {
  const { attemptId, browserHash, traceId, now, expiresAt } = returned
  return system
    .updateTable('connect_flow')
    .where('state_hash', '=', stateHash)
    .where('state', '=', 'started')
    .where('expires_at', '>', now)
    .where(({ or, eb }) => or([eb('link_id', 'is', null), eb('browser_hash', '=', browserHash)]))
    .set({ state: 'returned', attempt_id: attemptId, browser_hash: browserHash, trace_id: traceId, expires_at: expiresAt })
    .returningAll()
    .executeTakeFirst()
}

/** Across workspaces, because the address of an attempt does not name its workspace. */
export async function findAttempt(system: Db, id: string, now: Date): Promise<ConnectFlowRow | undefined> {
  return system
    .selectFrom('connect_flow')
    .where('attempt_id', '=', id)
    .where('expires_at', '>', now)
    .where('state', 'in', ['confirm', 'connected', 'failed'])
    .selectAll()
    .executeTakeFirst()
}

export type AttemptKey = { workspaceId: string; attemptId: string }

/** Locks the attempt, so that it is confirmed once. */
export async function lockAttempt(
  tx: Tx,
  { workspaceId, attemptId }: AttemptKey,
  now: Date,
): Promise<ConnectFlowRow | undefined> {
  return tx
    .selectFrom('connect_flow')
    .where('workspace_id', '=', workspaceId)
    .where('attempt_id', '=', attemptId)
    .where('expires_at', '>', now)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

export async function updateAttempt(
  tx: Tx,
  { workspaceId, attemptId }: AttemptKey,
  change: Updateable<ConnectFlowTable>,
): Promise<void> {
  await tx
    .updateTable('connect_flow')
    .where('workspace_id', '=', workspaceId)
    .where('attempt_id', '=', attemptId)
    .set(change)
    .execute()
}
