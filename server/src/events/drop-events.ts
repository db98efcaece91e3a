import type { Asked } from '../http/call.ts'
import { deleteEvents } from './outbox.store.ts'

/** What happened in a workspace that is being erased is told to nobody any more. */
export function dropEvents({ tx, principal }: Asked): Promise<void> {
  return deleteEvents(tx, principal.workspaceId)
}
