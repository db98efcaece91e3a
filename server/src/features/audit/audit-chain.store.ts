import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { EntryContent, Mark, MarkKind } from './chain-hash.ts'

export type PendingEntry = { chain: string; entryId: string; isLinked: boolean; content: EntryContent | null }
export type NewLink = Mark & { entryId: string }
export type SignedMark = Mark & { keyId: string; mac: Buffer }
export type StoredLink = { position: number; entryId: string; linkedAt: Date; hash: Buffer; content: EntryContent | null }

const tableOf = { head: 'audit_head', start: 'audit_start' } as const

// Every column of an entry of either kind, as text. `at` has its microseconds, which a Date would lose.
const at = (table: string) => `to_char(${table}.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const workspaceColumns = `array['workspace', a.workspace_id, a.id::text, ${at('a')}, a.person_id, a.api_key_id::text, a.action,
  a.subject_id, a.trace_id]`
const personColumns = `array['person', p.person_id, p.id::text, ${at('p')}, p.action, p.detail, p.ip_address, p.user_agent, p.trace_id]`
const content = sql.raw(
  `case when a.id is not null then ${workspaceColumns} when p.id is not null then ${personColumns} end as content`,
)

/** The advisory lock that a transaction needs to change chains. */
export const chainsLock = 7_241_902

/** Only one worker links at a time, so that a chain has one order. The lock ends with the transaction. */
export async function lockChains(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(chainsLock)}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/** Entries without a link, of all workspaces and people, in the order of their ids. An entry that has disappeared stays queued. */
export async function claimPending(tx: Tx, max: number): Promise<PendingEntry[]> {
  const { rows } = await sql<PendingEntry>`
    select q.chain, q.entry_id as "entryId", ${content},
      exists (select from audit_link l where l.chain = q.chain and l.entry_id = q.entry_id) as "isLinked"
    from (select chain, entry_id from audit_pending order by chain, entry_id limit ${max} for update) q
    left join audit_entry a on a.workspace_id = q.chain and a.id = q.entry_id
    left join account_entry p on p.person_id = q.chain and p.id = q.entry_id
    order by q.chain, q.entry_id`.execute(tx)
  return rows
}

export async function loadHeads(tx: Tx, chains: readonly string[]): Promise<Map<string, SignedMark>> {
  const { rows } = await sql<SignedMark>`
    select chain, position::int, hash, key_id as "keyId", mac
    from audit_head where chain = any(${[...chains]}) for update`.execute(tx)
  return new Map(rows.map((head) => [head.chain, head]))
}

/** Those of the chains that have begun: with a link, with a start, or with an entry that is no longer queued. */
export async function findBegun(tx: Tx, chains: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ chain: string }>`
    select c.chain from unnest(${[...chains]}::text[]) as c (chain)
    where exists (select from audit_link l where l.chain = c.chain)
      or exists (select from audit_start s where s.chain = c.chain)
      or exists (
        select from audit_entry a where a.workspace_id = c.chain
          and not exists (select from audit_pending q where q.chain = c.chain and q.entry_id = a.id))
      or exists (
        select from account_entry p where p.person_id = c.chain
          and not exists (select from audit_pending q where q.chain = c.chain and q.entry_id = p.id))`.execute(tx)
  return new Set(rows.map(({ chain }) => chain))
}

export async function insertLinks(tx: Tx, links: readonly NewLink[], now: Date): Promise<void> {
  if (links.length === 0) return
  const [chains, ids] = [links.map(({ chain }) => chain), links.map(({ entryId }) => entryId)]
  await sql`
    insert into audit_link (chain, position, entry_id, linked_at, hash)
    select chain, position, entry_id, ${now}, hash
    from unnest(${chains}::text[], ${links.map(({ position }) => position)}::bigint[], ${ids}::uuid[],
      ${links.map(({ hash }) => hash)}::bytea[]) as link (chain, position, entry_id, hash)`.execute(tx)
}

export async function deletePending(tx: Tx, entries: readonly { chain: string; entryId: string }[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    delete from audit_pending q
    using unnest(${entries.map(({ chain }) => chain)}::text[], ${entries.map(({ entryId }) => entryId)}::uuid[]) as done (chain, entry_id)
    where q.chain = done.chain and q.entry_id = done.entry_id`.execute(tx)
}

export async function saveMarks(tx: Tx, kind: MarkKind, marks: readonly SignedMark[]): Promise<void> {
  if (marks.length === 0) return
  await sql`
    insert into ${sql.table(tableOf[kind])} (chain, position, hash, key_id, mac)
    select *
    from unnest(
      ${marks.map(({ chain }) => chain)}::text[],
      ${marks.map(({ position }) => position)}::bigint[],
      ${marks.map(({ hash }) => hash)}::bytea[],
      ${marks.map(({ keyId }) => keyId)}::text[],
      ${marks.map(({ mac }) => mac)}::bytea[]
    )
    on conflict (chain) do update set
      position = excluded.position,
      hash = excluded.hash,
      key_id = excluded.key_id,
      mac = excluded.mac`.execute(tx)
}

/** Marks that were authenticated with another key than this one. Two conditions, because no index answers `<>`. */
export async function findMarksOfOtherKeys(tx: Tx, kind: MarkKind, keyId: string, max: number): Promise<SignedMark[]> {
  const { rows } = await sql<SignedMark>`
    select chain, position::int, hash, key_id as "keyId", mac from ${sql.table(tableOf[kind])}
    where key_id < ${keyId} or key_id > ${keyId} limit ${max} for update`.execute(tx)
  return rows
}

/** The names of all chains, and of all logs that should have one. Across workspaces: the whole installation is verified. */
export async function listChains(system: Db): Promise<string[]> {
  const { rows } = await sql<{ chain: string }>`
    select chain from audit_head
    union select chain from audit_pending
    union select distinct workspace_id from audit_entry
    union select distinct person_id from account_entry
    order by chain`.execute(system)
  return rows.map(({ chain }) => chain)
}

/** Reads from one snapshot, so that links which a worker adds meanwhile are not missed in one part and seen in another. */
export async function readSnapshot<T>(system: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return system.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

export async function findMark(tx: Tx, kind: MarkKind, chain: string): Promise<SignedMark | undefined> {
  const { rows } = await sql<SignedMark>`
    select chain, position::int, hash, key_id as "keyId", mac from ${sql.table(tableOf[kind])} where chain = ${chain}`.execute(tx)
  return rows[0]
}

export async function listLinks(tx: Tx, chain: string, { after, max }: { after: number; max: number }): Promise<StoredLink[]> {
  const { rows } = await sql<StoredLink>`
    select l.position::int, l.entry_id as "entryId", l.linked_at as "linkedAt", l.hash, ${content}
    from audit_link l
    left join audit_entry a on a.workspace_id = l.chain and a.id = l.entry_id
    left join account_entry p on p.person_id = l.chain and p.id = l.entry_id
    where l.chain = ${chain} and l.position > ${after}
    order by l.position limit ${max}`.execute(tx)
  return rows
}

/** Entries of a chain without a link, and queued entries that no longer exist. */
export async function listUnlinked(tx: Tx, chain: string): Promise<{ entryId: string; exists: boolean }[]> {
  const { rows } = await sql<{ entryId: string; exists: boolean }>`
    select id as "entryId", true as exists
    from (select id from audit_entry where workspace_id = ${chain} union all select id from account_entry where person_id = ${chain}) e
    where not exists (select from audit_link l where l.chain = ${chain} and l.entry_id = e.id)
    union all
    select entry_id, false from audit_pending q
    where q.chain = ${chain}
      and not exists (select from audit_entry a where a.workspace_id = ${chain} and a.id = q.entry_id)
      and not exists (select from account_entry p where p.person_id = ${chain} and p.id = q.entry_id)`.execute(tx)
  return rows
}

/** How many ends and starts of chains, and published values, are signed with another key than this one, across all workspaces. */
export async function countMarksOfOtherKeys(system: Db, keyId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select key_id from audit_head union all select key_id from audit_start union all select key_id from audit_seal) as mark
    where key_id < ${keyId} or key_id > ${keyId}`.execute(system)
  return rows[0]?.count ?? 0
}

/** Chains whose first link is older than `before`, across all workspaces. The newest link of a chain is never counted. */
export async function findOldChains(tx: Tx, before: Date, max: number): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select h.chain, h.position::int, h.hash
    from audit_head h
    cross join lateral (
      select l.position, l.linked_at
      from audit_link l
      where l.chain = h.chain
      order by l.position
      limit 1
    ) as first
    where first.linked_at < ${before} and first.position < h.position
    limit ${max}`.execute(tx)
  return rows
}

/** Deletes the entries up to the stored start of a chain. Only this function of the database may delete entries. */
export async function deleteUpTo(tx: Tx, { chain, position }: Mark): Promise<void> {
  await sql`select trim_audit(${chain}, ${position}::bigint)`.execute(tx)
}
