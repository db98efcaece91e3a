import type { AuditEntry, QueryOf, workspaces } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { isUuid } from '../../infra/db/ids.ts'
import { problem } from '../../infra/problem/problem.ts'
import { rangeEnd } from '../../infra/http/serve-file.ts'
import { findAddresses, findClientNames, listEntries, type EntryRow } from './audit.store.ts'

type Page = { data: AuditEntry[]; nextCursor: string | null }

export async function listChanges(
  { ctx, tx, principal }: RequestScope,
  { limit = 50, cursor, action, userId, subjectId, from, to }: QueryOf<typeof workspaces.audit>,
): Promise<Page> {
  if (cursor !== undefined && !isUuid(cursor))
    throw problem('request_invalid', { details: [{ path: 'cursor', message: 'Must be the nextCursor of the previous page.' }] })
  const rows = await listEntries(tx, principal.workspaceId, {
    limit,
    before: cursor ?? null,
    actions: action?.split(',') ?? null,
    personId: userId ?? null,
    subjectId: subjectId ?? null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : rangeEnd(to),
  })
  const people = [...new Set(rows.flatMap(({ person_id: id }) => (id === null ? [] : [id])))]
  const addresses = await findAddresses(ctx.db.system, people)
  const programs = [...new Set(rows.flatMap(({ api_key_id: id }) => (id === null ? [] : [id])))]
  const clients = await findClientNames(tx, principal.workspaceId, programs)
  const present = (row: EntryRow) =>
    presentEntry(row, {
      email: addresses.get(row.person_id ?? '') ?? null,
      client: clients.get(row.api_key_id ?? '') ?? null,
    })
  return { data: rows.map(present), nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null }
}

/** The column has the id of a key, or of the grant of a connected program. */
function presentEntry(row: EntryRow, { email, client }: { email: string | null; client: string | null }): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    subjectId: row.subject_id,
    userId: row.person_id,
    email,
    apiKeyId: client === null ? row.api_key_id : null,
    client: client === null || row.api_key_id === null ? null : { grantId: row.api_key_id, name: client },
    traceId: row.trace_id,
  }
}
