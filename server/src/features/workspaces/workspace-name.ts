import type { Db, Tx } from '../../infra/db/db.ts'
import { findWorkspace } from './workspace.store.ts'

/** The name of a workspace, for mails and pages. */
export async function workspaceName(db: Db | Tx, id: string): Promise<string> {
  return (await findWorkspace(db, id))?.name ?? 'a workspace'
}
