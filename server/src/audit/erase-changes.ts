import type { Asked } from '../http/call.ts'
import { eraseEntries } from './audit.store.ts'

/** Forgets what was done in a workspace that is gone. The entry that says who erased it is written afterwards, and stays. */
export function eraseChanges({ tx, principal }: Asked): Promise<void> {
  return eraseEntries(tx, principal.workspaceId)
}
