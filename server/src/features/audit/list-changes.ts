import type { AuditEntry } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { isUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { listEntries, type EntryRow } from './audit.store.ts'

type Page = { data: AuditEntry[]; nextCursor: string | null }

export async function listChanges(
  { tx, principal }: RequestScope,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Page> {
  if (cursor !== undefined && !isUuid(cursor))
    throw problem('request_invalid', { details: [{ path: 'cursor', message: 'Must be the nextCursor of the previous page.' }] })
  const rows = await listEntries(tx, principal.workspaceId, { limit, before: cursor ?? null })
  return { data: rows.map(present), nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null }
}

function present(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    subjectId: row.subject_id,
    userId: row.person_id,
    email: row.email,
    apiKeyId: row.api_key_id,
    traceId: row.trace_id,
  }
}
