import type { RequestScope } from '../../infra/http/request-scope.ts'
import { insertWorkspaceRemovals } from './removal.store.ts'
import { sweepStorage } from './sweep-storage.ts'

/** Notes every file of a workspace that is being erased, and removes them from the store after the commit. */
export async function removeWorkspaceFiles({ ctx, tx, principal, nowMs, afterCommit }: RequestScope): Promise<void> {
  await insertWorkspaceRemovals(tx, principal.workspaceId, new Date(nowMs))
  // Should this not come to pass, or not to its end, a worker does it.
  afterCommit(() => sweepStorage(ctx))
}
