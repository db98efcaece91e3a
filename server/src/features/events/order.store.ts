import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

/** Until the commit, no other transaction adds live events or entries of the event log: their ids become visible in their order. */
export const orderLock = 'select pg_advisory_xact_lock(7241901)'

export async function lockOrder(tx: Tx): Promise<void> {
  await sql.raw(orderLock).execute(tx)
}
