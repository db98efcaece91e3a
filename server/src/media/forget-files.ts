import type { Asked } from '../http/call.ts'
import { insertWorkspaceRemovals } from './removal.store.ts'

/** Notes every file of a workspace that is being erased; the sweep removes them from the store. */
export function forgetFiles({ tx, principal, nowMs }: Asked): Promise<void> {
  return insertWorkspaceRemovals(tx, principal.workspaceId, new Date(nowMs))
}
