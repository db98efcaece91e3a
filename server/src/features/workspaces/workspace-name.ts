import type { Db, Tx } from '../../infra/db/db.ts'
import { findWorkspace } from './workspace.store.ts'

/** What a workspace is called, for letters and pages. */
export async function workspaceName(db: Db | Tx, id: string): Promise<string> {
  return (await findWorkspace(db, id))?.name ?? 'a workspace'
}
