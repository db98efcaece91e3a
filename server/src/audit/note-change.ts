import type { Tx } from '../db/db.ts'
import { newUuid } from '../ids.ts'
import { insertAuditEntry } from './audit.store.ts'

type Change = {
  action: string
  subjectId: string | null
  by: { workspaceId: string; personId: string; apiKeyId: string | null }
  nowMs: number
  traceId: string
}

/** Writes down who changed what, in the transaction that changes it. */
export function noteChange(tx: Tx, { action, subjectId, by, nowMs, traceId }: Change): Promise<void> {
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
