import pg from 'pg'
import { chainsLock } from '../../features/audit/audit-chain.store.ts'
import { transact } from './move-client.store.ts'
import { type MovedTable, auditTables, eventTable, movedTables } from './moved-tables.data.ts'

/** `people`: ids of the source, and the ids that the same people have here. `hasAudit`: the audit log never left this cell. */
type Unpacked = { workspaceId: string; people: Readonly<Record<string, string>>; hasAudit: boolean }

/**
 * Inserts the rows of all parcels into their tables, inside the caller's transaction, and compares them with the parcels. Triggers count posts
 * and queue audit entries as for every new row.
 */
export async function unparkWorkspace(client: pg.Client, unpacked: Unpacked): Promise<Record<string, number>> {
  const { workspaceId, people, hasAudit } = unpacked
  const counts: Record<string, number> = {}
  const insert = async (table: MovedTable) => {
    const columns = await readColumns(client, table.name)
    const inserted = await insertRows(client, table, { workspaceId, people, columns })
    counts[table.name] = table.isShared
      ? inserted
      : await compareRows(client, table, { workspaceId, isChanged: isChanged(table, columns, people) })
  }
  for (const table of [...movedTables, eventTable]) await insert(table)
  if (!hasAudit) {
    // A worker of this cell must not add to the log while it is inserted.
    await client.query('select pg_advisory_xact_lock($1)', [chainsLock])
    for (const table of auditTables) await insert(table)
  }
  await resumeSends(client, workspaceId)
  return counts
}

type Columns = { names: string[]; hasNumber: boolean }

/** Computed columns and numbers that the database gives out are left out. */
async function readColumns(client: pg.Client, table: string): Promise<Columns> {
  const { rows } = await client.query<{ name: string; kind: 'plain' | 'computed' | 'number' }>(
    `select quote_ident(attname) as name,
       case when attgenerated <> '' then 'computed' when attidentity <> '' then 'number' else 'plain' end as kind
     from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped
     order by attnum`,
    [table],
  )
  return {
    names: rows.filter(({ kind }) => kind === 'plain').map(({ name }) => name),
    hasNumber: rows.some(({ kind }) => kind === 'number'),
  }
}

const withPeople = new Set(['member', 'api_key'])

/** Whether rows differ from their parcels on purpose: then only their number can be compared. */
function isChanged({ name }: MovedTable, { hasNumber }: Columns, people: Unpacked['people']): boolean {
  return hasNumber || (withPeople.has(name) && Object.keys(people).length > 0)
}

async function insertRows(
  client: pg.Client,
  { name, isShared }: MovedTable,
  { workspaceId, people, columns: { names } }: Pick<Unpacked, 'workspaceId' | 'people'> & { columns: Columns },
): Promise<number> {
  const table = pg.escapeIdentifier(name)
  const hasPeople = withPeople.has(name)
  const values = names.map((column) =>
    column === 'person_id' && hasPeople ? 'coalesce($2::jsonb ->> r.person_id, r.person_id)' : `r.${column}`,
  )
  const replaced = names.filter((column) => column !== 'chain').map((column) => `${column} = excluded.${column}`)
  // The cell may still have the audit log from before the workspace left it.
  const onConflict = {
    audit_entry: 'on conflict do nothing',
    audit_link: 'on conflict do nothing',
    audit_head: `on conflict (chain) do update set ${replaced.join(', ')}`,
    audit_start: `on conflict (chain) do update set ${replaced.join(', ')}`,
  }
  const conflict = name in onConflict ? onConflict[name as keyof typeof onConflict] : isShared ? 'on conflict do nothing' : ''
  const { rowCount } = await client.query(
    `insert into ${table} (${names.join(', ')})
     select ${values.join(', ')}
     from workspace_parcel p
     cross join lateral unnest(p.rows::${table}[]) with ordinality as r
     where p.id = $1 and p.table_name = '${name}'
     order by p.position, r.ordinality
     ${conflict}`,
    hasPeople ? [workspaceId, JSON.stringify(people)] : [workspaceId],
  )
  return rowCount ?? 0
}

type Sums = { rows: number; sum: string | null }

/** The sum of the hashes of all rows does not depend on their order. */
async function compareRows(
  client: pg.Client,
  { name, key }: MovedTable,
  { workspaceId, isChanged: onlyCounts }: { workspaceId: string; isChanged: boolean },
): Promise<number> {
  const sum = (text: string) => (onlyCounts ? 'null' : `sum(hashtextextended(${text}, 0)::numeric)::text`)
  const { rows: parked } = await client.query<Sums>(
    `select count(value)::int as rows, ${sum('value')} as sum
     from workspace_parcel p cross join lateral unnest(p.rows) as value
     where p.id = $1 and p.table_name = $2`,
    [workspaceId, name],
  )
  const { rows: stored } = await client.query<Sums>(
    `select count(*)::int as rows, ${sum('t::text')} as sum from ${pg.escapeIdentifier(name)} t where ${key} = $1`,
    [workspaceId],
  )
  const [before, after] = [parked[0], stored[0]]
  if (before?.rows !== after?.rows || before?.sum !== after?.sum)
    throw new Error(`the table ${name} has ${after?.rows} rows after the move and had ${before?.rows}, or one of them differs`)
  return after?.rows ?? 0
}

/** No engine here knows about sends that were not finished, so the next sweep asks the platforms about them. They are not sent again. */
async function resumeSends(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(`update part set recover_at = now() where workspace_id = $1 and state in ('submitting', 'confirming')`, [
    workspaceId,
  ])
}

/** Audit entries that were written while the workspace was on its way follow it. */
export async function copyLateEntries(source: pg.Client, target: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await source.query<{ value: string }>(
    `select t::text as value
     from audit_entry t
     where workspace_id = $1 and id not in (
       select r.id from workspace_parcel p cross join lateral unnest(p.rows::audit_entry[]) as r
       where p.id = $1 and p.table_name = 'audit_entry')`,
    [workspaceId],
  )
  if (rows.length > 0)
    await target.query('insert into audit_entry select r.* from unnest($1::audit_entry[]) as r on conflict do nothing', [
      rows.map(({ value }) => value),
    ])
  return rows.length
}

/** Signs out the members who have no other workspace here, so that they notice that theirs is in another cell. */
export async function endSessions(source: pg.Client, workspaceId: string): Promise<void> {
  await source.query(
    `delete from session s
     using workspace_parcel p cross join lateral unnest(p.rows::member[]) as r
     where p.id = $1 and p.table_name = 'member' and s.person_id = r.person_id
       and not exists (select from member m where m.person_id = s.person_id)`,
    [workspaceId],
  )
}

/** Deletes what the target has now. Only the owner of the tables may delete entries of an audit log. */
export async function deleteLeftovers(owner: pg.Client, workspaceId: string): Promise<void> {
  await transact(owner, async () => {
    await owner.query('delete from audit_pending where chain = $1', [workspaceId])
    for (const { name, key } of auditTables.toReversed())
      await owner.query(`delete from ${name} where ${key} = $1`, [workspaceId])
    await owner.query('delete from workspace_parcel where id = $1', [workspaceId])
  })
}

export async function hasParcels(client: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query('select from workspace_parcel where id = $1 limit 1', [workspaceId])
  return rows.length > 0
}
