import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { hasRecentEntry, insertAuditEntry } from './audit.store.ts'
import { changeOfAction } from './change-of-action.ts'

/** Changes that a program saves while a person writes have at most one entry in this time, for the person and the object. */
const autosaveMs = 600_000

/** Writes an audit entry in the transaction that makes the change, and records the change for the pages that are open. */
export async function recordChange(tx: Tx, { action, subjectId, by, nowMs, traceId, isAutosave }: Change): Promise<void> {
  const { workspaceId, personId, apiKeyId } = by
  const entry = { workspaceId, id: newUuid(), atMs: nowMs, personId, apiKeyId, action, subjectId, traceId }
  const isRecent =
    isAutosave && (await hasRecentEntry(tx, { workspaceId, personId, action, subjectId, sinceMs: nowMs - autosaveMs }))
  const event = changeOfAction(action)
  // Both statements are sent at once.
  await Promise.all([
    !isRecent && insertAuditEntry(tx, entry),
    event && recordEvents(tx, [{ workspaceId, event, subjectId, personId, atMs: nowMs }]),
  ])
}
