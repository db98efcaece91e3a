import { problem } from '../../infra/problem/problem.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { eraseEntries } from '../audit/audit.store.ts'
import { deleteEvents } from '../events/outbox.store.ts'
import { removeWorkspaceFiles } from '../media/remove-workspace-files.ts'
import { deleteWorkspace } from '../workspaces/workspace.store.ts'

/**
 * Erases a workspace and everything in it, sealed secrets and their keys included. Deleting the workspace row deletes most tables with it;
 * events and files are handled first, while their rows can still be read. One audit entry remains: that it was erased.
 */
export async function eraseWorkspace(scope: RequestScope): Promise<null> {
  const { tx, principal } = scope
  await deleteEvents(tx, principal.workspaceId)
  await removeWorkspaceFiles(scope)
  if (!(await deleteWorkspace(tx, principal.workspaceId))) throw problem('workspace_not_found')
  await eraseEntries(tx, principal.workspaceId)
  scope.afterCommit(() => clearKeyCache(scope.ctx))
  return null
}
