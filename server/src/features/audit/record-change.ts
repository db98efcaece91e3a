import type { Tx } from '../../infra/db/db.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Change } from '../../infra/http/http-hooks.ts'
import { insertAuditEntry } from './audit.store.ts'

/** Writes an audit entry in the transaction that makes the change. */
export function recordChange(tx: Tx, { action, subjectId, by, nowMs, traceId }: Change): Promise<void> {
  return insertAuditEntry(tx, {
    workspaceId: by.workspaceId,
    id: newUuid(),
    atMs: nowMs,
    personId: by.personId,
    apiKeyId: by.apiKeyId,
    action,
    subjectId,
    traceId,
  })
}
