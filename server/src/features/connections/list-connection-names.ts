import type { Tx } from '../../infra/db/db.ts'
import { listConnections } from './connection.store.ts'

/** The names of the accounts by the id of their connection. */
export async function listConnectionNames(tx: Tx, workspaceId: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await listConnections(tx, workspaceId)).map(({ id, display_name: name }) => [id, name]))
}
