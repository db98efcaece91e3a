import pg from 'pg'
import { chainsLock } from '../../features/audit/audit-chain.store.ts'
import type { MoveState } from '../../infra/cell/cell.store.ts'
import { transactGivingWay } from './move-client.store.ts'
import { type MovedTable, auditTables, eventTable, movedTables, personTables } from './moved-tables.data.ts'

/** Rows in one parcel. */
const parcelRows = 500

export type Parked = { outcome: 'parked'; inDoubt: number } | { outcome: 'sending' }

/**
 * Takes a workspace out of its tables and into parcels, in one transaction: afterwards no process of this cell finds anything of it. Every
 * change to it was either committed before, and is in the parcels, or fails. While it is being sent somewhere it is left alone, unless
 * `mayInterrupt`: then these sends are in doubt, and the target asks the platforms about them.
 */
export async function parkWorkspace(client: pg.Client, workspaceId: string, mayInterrupt: boolean): Promise<Parked> {
  return transactGivingWay(client, async () => {
    const move = await lockMove(client, workspaceId)
    if (move?.state !== 'closing') throw new Error(`the workspace ${workspaceId} is not closing`)
    await lockRows(client, workspaceId)
    const inDoubt = await countSending(client, workspaceId)
    if (inDoubt > 0 && !mayInterrupt) return { outcome: 'sending' }
    await releaseClaims(client, workspaceId)
    await parkRows(client, workspaceId)
    await client.query(
      `update workspace_move
       set state = 'parked', changed_at = now(),
         secret_hashes = array(
           select hash from api_key where workspace_id = $1
           union all select token_hash from invitation where workspace_id = $1 and accepted_at is null)
       where id = $1`,
      [workspaceId],
    )
    await client.query('delete from workspace where id = $1', [workspaceId])
    return { outcome: 'parked', inDoubt }
  })
}

export async function isSending(client: pg.Client, workspaceId: string): Promise<boolean> {
  return (await countSending(client, workspaceId)) > 0
}

/** Claims that are not being sent return to the schedule, so that the drain has an end. Their jobs are stale from here on. */
export async function releaseClaims(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(
    `update part set state = 'scheduled', recover_at = null, generation = generation + 1
     where workspace_id = $1 and state = 'dispatched'`,
    [workspaceId],
  )
}

/** Most transactions of requests and workers lock a row of these tables, so a conflict is noticed before much is locked. */
const busyTables: readonly string[] = ['workspace', 'usage_month', 'webhook', 'connection']
/** Rows that are deleted with the workspace, and that workers lock. */
const deletedTables: readonly MovedTable[] = [
  { name: 'post_unsearched', key: 'workspace_id' },
  { name: 'media_upload', key: 'workspace_id' },
  { name: 'connect_flow', key: 'workspace_id' },
  { name: 'connect_link', key: 'workspace_id' },
]

/**
 * The workspace first: a new row of it needs a lock on the workspace or on a row below it, so from here on none is added. A row that another
 * transaction is changing is waited for. Events last: transactions that were waited for have added some. After this, the only rows that may
 * still have to be waited for are those of live_event and post_tally, which this role may delete but not lock.
 */
async function lockRows(client: pg.Client, workspaceId: string): Promise<void> {
  const busy = busyTables.flatMap((name) => movedTables.filter((table) => table.name === name))
  const others = movedTables.filter(({ name }) => !busyTables.includes(name))
  for (const { name, key } of [...busy, ...others, ...deletedTables, eventTable])
    await client.query(`select count(*) from (select from ${pg.escapeIdentifier(name)} where ${key} = $1 for update) locked`, [
      workspaceId,
    ])
  // Workers add links to the log all the time. Its tables are read one after the other, and must fit together.
  await client.query('select pg_advisory_xact_lock($1)', [chainsLock])
}

async function countSending(client: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from part where workspace_id = $1 and state = 'submitting'`,
    [workspaceId],
  )
  return rows[0]?.n ?? 0
}

async function parkRows(client: pg.Client, workspaceId: string): Promise<void> {
  let position = 0
  const park = async (table: string, source: RowSource) => {
    position += await addParcels(client, source, { workspaceId, table, position })
  }
  for (const table of personTables) await park(table, peopleOf(table))
  for (const table of movedTables) await park(table.name, rowsOf(table))
  await park(eventTable.name, {
    removed: `delete from ${eventTable.name} t where ${eventTable.key} = $1 returning t.id, t::text as value`,
    select: 'select value, row_number() over (order by id) as n from removed',
  })
  for (const table of auditTables) await park(table.name, rowsOf(table))
}

/** A query for the texts of rows and their order. `removed` is a statement that deletes them and returns them. */
type RowSource = { select: string; removed?: string }

function rowsOf({ name, key, only = 'true' }: MovedTable): RowSource {
  // Numbers that the database gives out are given out again by the target, in the same order.
  const order = name.endsWith('_event') ? 't.id' : '1'
  const table = pg.escapeIdentifier(name)
  return {
    select: `select t::text as value, row_number() over (order by ${order}) as n from ${table} t where ${key} = $1 and ${only}`,
  }
}

function peopleOf(table: (typeof personTables)[number]): RowSource {
  const id = table === 'person' ? 'id' : 'person_id'
  return {
    select: `
      select t::text as value, row_number() over (order by t.id) as n
      from ${table} t
      where ${id} in (
        select person_id from member where workspace_id = $1 union select person_id from api_key where workspace_id = $1)`,
  }
}

type Destination = { workspaceId: string; table: string; position: number }

/** Returns the number of parcels. */
async function addParcels(
  client: pg.Client,
  { select, removed }: RowSource,
  { workspaceId, table, position }: Destination,
): Promise<number> {
  const { rowCount } = await client.query(
    `with ${removed === undefined ? '' : `removed as (${removed}), `}numbered as (${select})
     insert into workspace_parcel (id, position, table_name, rows, hash)
     select $1, $2::int + (n - 1) / ${parcelRows}, $3, array_agg(value order by n),
       sha256(convert_to(string_agg(value, E'\\n' order by n), 'UTF8'))
     from numbered
     group by (n - 1) / ${parcelRows}`,
    [workspaceId, position, table],
  )
  return rowCount ?? 0
}

/** Locks the row until the transaction ends: two commands for one workspace run one after the other. */
export async function lockMove(client: pg.Client, workspaceId: string): Promise<MoveState | undefined> {
  const { rows } = await client.query<MoveState>('select state, cell from workspace_move where id = $1 for update', [workspaceId])
  return rows[0]
}

export async function saveMove(
  client: pg.Client,
  { workspaceId, state, cell }: MoveState & { workspaceId: string },
): Promise<void> {
  await client.query(
    `insert into workspace_move (id, state, cell)
     values ($1, $2, $3)
     on conflict (id) do update set state = excluded.state, cell = excluded.cell, changed_at = now()`,
    [workspaceId, state, cell],
  )
}

/** Its parcels are deleted with it. */
export async function deleteMove(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query('delete from workspace_move where id = $1', [workspaceId])
}

export async function hasWorkspace(client: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query('select from workspace where id = $1', [workspaceId])
  return rows.length > 0
}

const names = [...movedTables, eventTable, ...auditTables].map(({ name }) => name)

/** The migrations, and the columns in their order: a row on its way is a list of values, and each must reach the column that it came from. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `select name as line from migration
     union all
     select format('%s: %s', c.relname, string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum))
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1)
     group by c.relname`,
    [[...names, ...personTables]],
  )
  return rows
    .map(({ line }) => line)
    .toSorted()
    .join('\n')
}

export async function listPlatforms(client: pg.Client, workspaceId: string): Promise<string[]> {
  const { rows } = await client.query<{ platform: string }>(
    `select distinct platform from connection where workspace_id = $1 and status <> 'disconnected' order by platform`,
    [workspaceId],
  )
  return rows.map(({ platform }) => platform)
}

/** Two commands for one workspace must not run at the same time. The lock ends with the connection. */
export async function lockForCommand(source: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await source.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as locked`,
    [workspaceId],
  )
  return rows[0]?.locked ?? false
}
