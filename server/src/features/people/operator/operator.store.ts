import type { Db, Tx } from '../../../infra/db/db.ts'

/** The person who is stored as the operator of this installation. */
export async function findOperator(system: Db): Promise<string | null> {
  const row = await system.selectFrom('cell').select('operator_id').executeTakeFirst()
  return row?.operator_id ?? null
}

export async function setOperator(system: Db | Tx, personId: string): Promise<void> {
  await system.updateTable('cell').set({ operator_id: personId }).execute()
}

/**
 * Unless there is an operator: `carillon setup` also creates later people. The row is locked by the first of two that run at the same time,
 * and the second finds an operator.
 */
export async function setOperatorIfNone(system: Tx, personId: string): Promise<void> {
  await system.updateTable('cell').where('operator_id', 'is', null).set({ operator_id: personId }).execute()
}
