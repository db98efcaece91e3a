import { sql, type Selectable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { places, runStatement } from '../../infra/db/run-statement.ts'
import type { AuditEntryTable } from '../../infra/db/tables.ts'

export type NewEntry = {
  workspaceId: string
  id: string
  atMs: number
  personId: string | null
  apiKeyId: string | null
  action: string
  subjectId: string | null
  traceId: string
}

export type EntryRow = Selectable<AuditEntryTable> & { email: string | null }

/** Called in the transaction of the change, so that there is an entry for every committed change. */
export async function insertAuditEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { workspaceId, id, atMs, personId, apiKeyId, action, subjectId, traceId } = entry
  await runStatement(tx, insertText, [workspaceId, id, new Date(atMs), personId, apiKeyId, action, subjectId, traceId])
}

const insertText = `
  insert into audit_entry (workspace_id, id, at, person_id, api_key_id, action, subject_id, trace_id)
  values (${places(1, 8)})`

/** Newest first. Ids are ordered by time, so the id of the last entry is the cursor of the next page. */
export async function listEntries(
  tx: Tx,
  workspaceId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<EntryRow[]> {
  return tx
    .selectFrom('audit_entry')
    .leftJoin('person', 'person.id', 'audit_entry.person_id')
    .where('workspace_id', '=', workspaceId)
    .$if(before !== null, (query) => query.where('audit_entry.id', '<', before))
    .selectAll('audit_entry')
    .select('person.email')
    .orderBy('audit_entry.id', 'desc')
    .limit(limit)
    .execute()
}

/** Only for a deleted workspace: the database function refuses while the workspace exists. */
export async function eraseEntries(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select erase_audit(${workspaceId})`.execute(tx)
}
