import { type Selectable, sql } from 'kysely'
import { type Db, type Tx, places, runStatement } from '../../infra/db/db.ts'
import type { AccountEntryTable, AuditEntryTable } from '../../infra/db/tables.ts'

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

export type EntryRow = Selectable<AuditEntryTable>

/** Called in the transaction of the change, so that there is an entry for every committed change. */
export async function insertAuditEntry(tx: Tx, entry: NewEntry): Promise<void> {
  const { workspaceId, id, atMs, personId, apiKeyId, action, subjectId, traceId } = entry
  await runStatement(tx, insertText, [workspaceId, id, new Date(atMs), personId, apiKeyId, action, subjectId, traceId])
}

const insertText = `
  insert into audit_entry (workspace_id, id, at, person_id, api_key_id, action, subject_id, trace_id)
  values (${places(1, 8)})`

type RecentEntry = Pick<NewEntry, 'workspaceId' | 'personId' | 'action' | 'subjectId'> & { sinceMs: number }

/** Ids begin with the time, so the primary key finds the newest entries. */
export async function hasRecentEntry(
  tx: Tx,
  { workspaceId, personId, action, subjectId, sinceMs }: RecentEntry,
): Promise<boolean> {
  const found = await tx
    .selectFrom('audit_entry')
    .where('workspace_id', '=', workspaceId)
    .where('id', '>=', lowestUuidAt(sinceMs))
    .where('person_id', '=', personId)
    .where('action', '=', action)
    .where('subject_id', '=', subjectId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

function lowestUuidAt(atMs: number): string {
  const time = Math.max(0, atMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

export type EntryFilter = {
  limit: number
  before: string | null
  /** Whole actions, or subjects, which mean all actions of the subject. */
  actions: readonly string[] | null
  personId: string | null
  subjectId: string | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
}

function matchesAction(actions: readonly string[]) {
  return sql<boolean>`(action = any(${[...actions]}) or split_part(action, '.', 1) = any(${[...actions]}))`
}

/** Newest first. Ids are ordered by time, so the id of the last entry is the cursor of the next page. */
export async function listEntries(
  tx: Tx,
  workspaceId: string,
  { limit, before, actions, personId, subjectId, from, to }: EntryFilter,
): Promise<EntryRow[]> {
  return tx
    .selectFrom('audit_entry')
    .where('workspace_id', '=', workspaceId)
    .$if(before !== null, (query) => query.where('id', '<', before))
    .$if(actions !== null, (query) => query.where(matchesAction(actions ?? [])))
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .$if(subjectId !== null, (query) => query.where('subject_id', '=', subjectId))
    .$if(from !== null, (query) => query.where('at', '>=', from ?? new Date(0)))
    .$if(to !== null, (query) => query.where('at', '<', to ?? new Date(0)))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * The addresses of people in entries that the caller has read. Not limited to a workspace: requests in a workspace see its members only, and
 * an entry may name a person who has left.
 */
export async function findAddresses(system: Db, personIds: readonly string[]): Promise<Map<string, string>> {
  if (personIds.length === 0) return new Map()
  const rows = await system.selectFrom('person').where('id', 'in', personIds).select(['id', 'email']).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** The names of the programs with these grants. They stay after a grant has ended. */
export async function findClientNames(tx: Tx, workspaceId: string, grantIds: readonly string[]): Promise<Map<string, string>> {
  if (grantIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('oauth_grant')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', grantIds)
    .select(['id', 'client_name'])
    .execute()
  return new Map(rows.map(({ id, client_name: name }) => [id, name]))
}

/** Who made this change of the object first. */
export async function findActor(tx: Tx, workspaceId: string, { action, subjectId }: { action: string; subjectId: string }) {
  return tx
    .selectFrom('audit_entry')
    .where('workspace_id', '=', workspaceId)
    .where('subject_id', '=', subjectId)
    .where('action', '=', action)
    .select(['person_id', 'api_key_id'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function findPersonName(system: Db, personId: string): Promise<string | null> {
  const row = await system.selectFrom('person').where('id', '=', personId).select('name').executeTakeFirst()
  return row?.name ?? null
}

/** Only for a deleted workspace: the database function refuses while the workspace exists. */
export async function eraseEntries(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select erase_audit(${workspaceId})`.execute(tx)
}

type AccountEntryRow = Selectable<AccountEntryTable>

/** Not limited to a workspace: an account belongs to the installation. */
export async function insertAccountEntry(system: Db | Tx, row: AccountEntryRow): Promise<void> {
  await system.insertInto('account_entry').values(row).execute()
}

/** Newest first. */
export async function listAccountEntries(system: Db, personId: string, limit: number): Promise<AccountEntryRow[]> {
  return system
    .selectFrom('account_entry')
    .where('person_id', '=', personId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Only for an erased person: the database function refuses while the person exists. */
export async function eraseAccountEntries(system: Tx, personId: string): Promise<void> {
  await sql`select erase_account_log(${personId})`.execute(system)
}
