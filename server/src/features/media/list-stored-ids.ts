import type { Tx } from '../../infra/db/db.ts'
import { findMediaItems } from './media.store.ts'

/** Which of these files the library has. */
export async function listStoredIds(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((ids.length > 0 ? await findMediaItems(tx, workspaceId, ids) : []).map(({ id }) => id))
}
