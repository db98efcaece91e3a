import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { insertAuditEntry } from './audit.store.ts'
import { changeOfAction } from './change-of-action.ts'

/** Writes an audit entry in the transaction that makes the change, and records the change for the pages that are open. */
export async function recordChange(tx: Tx, { action, subjectId, by, nowMs, traceId }: Change): Promise<void> {
  const { workspaceId, personId, apiKeyId } = by
  const entry = { workspaceId, id: newUuid(), atMs: nowMs, personId, apiKeyId, action, subjectId, traceId }
  const event = changeOfAction(action)
  // Both statements are sent at once.
  await Promise.all([
    insertAuditEntry(tx, entry),
    event && recordEvents(tx, [{ workspaceId, event, subjectId, personId, atMs: nowMs }]),
  ])
}
