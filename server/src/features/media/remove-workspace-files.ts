import type { RequestScope } from '../../infra/http/request-scope.ts'
import { insertWorkspaceRemovals } from './removal.store.ts'
import { sweepStorage } from './sweep-storage.ts'

/** Schedules the removal of every file of a workspace that is being erased, and removes them from the storage after the commit. */
export async function removeWorkspaceFiles({ ctx, tx, principal, nowMs, afterCommit }: RequestScope): Promise<void> {
  await insertWorkspaceRemovals(tx, principal.workspaceId, new Date(nowMs))
  // If this fails or stops halfway, a worker's sweep removes the rest.
  afterCommit(() => sweepStorage(ctx))
}
