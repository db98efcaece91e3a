import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { hasRecentEntry, insertAuditEntry } from './audit.store.ts'

/** Changes that a program saves while a person writes have at most one entry in this time, for the person and the object. */
const autosaveMs = 600_000

/** Writes an audit entry in the transaction that makes the change. */
export async function recordChange(tx: Tx, { action, subjectId, by, nowMs, traceId, isAutosave }: Change): Promise<void> {
  const { workspaceId, personId, apiKeyId } = by
  if (isAutosave && (await hasRecentEntry(tx, { workspaceId, personId, action, subjectId, sinceMs: nowMs - autosaveMs }))) return
  await insertAuditEntry(tx, { workspaceId, id: newUuid(), atMs: nowMs, personId, apiKeyId, action, subjectId, traceId })
}
