import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import type { WorkspaceMoveTable } from '../db/tables.ts'
import type { Position } from './witness.ts'

/** What the database says about itself as a whole. */
export type Cell = {
  epoch: number
  isOpen: boolean
  fencedAt: Date | null
  fenceReason: string | null
  lostFrom: Date | null
  lostUntil: Date | null
  restoredAt: Date | null
  /** The last sign of a worker, by a comparison or by a heartbeat. */
  beatAgeMs: number | null
}

/** How long one comparison with the witness allows sending. A worker compares every 8 s, so several comparisons may fail. */
const openFor = sql`interval '40 seconds'`

/** A comparison counts only on the PostgreSQL server on which it was made: a standby that takes over inherits the row, not the comparison. */
const isOpen = sql<boolean>`
  fenced_at is null and open_until > now() and (open_on is null or open_on = pg_postmaster_start_time())`

/**
 * The epoch in which posts may be claimed, armed and sent now, as an SQL value; null while the database is fenced or was not compared with
 * its witness lately. A statement evaluates it once, however many rows it reads: `where t.epoch = ${openEpoch}`.
 */
export const openEpoch = sql<number | null>`(select epoch from cell where id = 1 and ${isOpen})`

/** The epoch of this database, as an SQL value. */
export const cellEpoch = sql<number>`(select epoch from cell where id = 1)`

/** The open epoch, or null. For code that must not go on while the database is fenced. */
export async function findOpenEpoch(db: Db | Tx): Promise<number | null> {
  const { rows } = await sql<{ epoch: number | null }>`select ${openEpoch} as epoch`.execute(db)
  return rows[0]?.epoch ?? null
}

export async function readCell(db: Db | Tx): Promise<Cell> {
  const { rows } = await sql<Cell>`
    select epoch, ${isOpen} as "isOpen", fenced_at as "fencedAt", fence_reason as "fenceReason",
      lost_from as "lostFrom", lost_until as "lostUntil", restored_at as "restoredAt",
      (extract(epoch from now() - greatest(beat_at, (select max(at) from heartbeat))) * 1000)::float8 as "beatAgeMs"
    from cell
    where id = 1`.execute(db)
  const [cell] = rows
  if (!cell) throw new Error('the database has no cell row; run the migrations')
  return cell
}

/** A position, and the PostgreSQL server it was read on: its start time, which differs after every restart and on every standby. */
export type ServerPosition = { position: Position; server: string }

/**
 * How far this database has come. An ordinary role may read all of it. The timeline is that of the log being written: the last checkpoint's,
 * which is simpler to read, still is the old one in the first moments after a failover.
 */
export async function readPosition(system: Db): Promise<ServerPosition> {
  const { rows } = await sql<Position & { server: string }>`
    select (select system_identifier::text from pg_control_system()) as "systemId",
      ('X' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
      pg_current_wal_lsn()::text as lsn,
      epoch,
      beat::float8 as beat,
      pg_postmaster_start_time()::text as server
    from cell
    where id = 1`.execute(system)
  const [row] = rows
  if (!row) throw new Error('the database has no cell row; run the migrations')
  const { server, ...position } = row
  return { position, server }
}

/** A channel whose guard a worker has set. */
export type Send = { workspaceId: string; channelId: string; generation: number; epoch: number }

/**
 * Whether this database does not know of one of these sends: the channel still waits to be sent. A channel never returns to the schedule
 * with the same generation. One that is not there at all cannot be sent again.
 */
export async function lacksSend(system: Db, sends: readonly Send[]): Promise<boolean> {
  if (sends.length === 0) return false
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (
      select
      from part c
      join unnest(
        ${sends.map((send) => send.workspaceId)}::text[],
        ${sends.map((send) => send.channelId)}::text[],
        ${sends.map((send) => send.generation)}::int[]
      ) as t (workspace_id, id, generation) on c.workspace_id = t.workspace_id and c.id = t.id
      where c.generation < t.generation or (c.generation = t.generation and c.state in ('scheduled', 'dispatched'))
    ) as lacks`.execute(system)
  return rows[0]?.lacks ?? false
}

/**
 * Records that the database lacks nothing, and allows sending for a while, unless another server took over since the comparison. Gives the
 * position to tell the witness. The commit also makes everything before it durable, on a synchronous standby too, so a position read before
 * the commit can never be lost by a failover.
 */
export async function recordBeat(system: Db, { position: seen, server }: ServerPosition): Promise<Position | undefined> {
  const { rows } = await sql<{ beat: number }>`
    update cell
    set beat = beat + 1, beat_at = now(), open_until = now() + ${openFor}, open_on = pg_postmaster_start_time()
    where id = 1 and fenced_at is null and epoch = ${seen.epoch} and beat >= ${seen.beat}
      and pg_postmaster_start_time()::text = ${server}
    returning beat::float8 as beat`.execute(system)
  return rows[0] && { ...seen, beat: rows[0].beat }
}

/** Stops all sending until an operator lifts it. True when it was not fenced before. */
export async function fence(system: Db, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update cell set fenced_at = now(), fence_reason = ${reason} where id = 1 and fenced_at is null returning 1`.execute(system)
  return rows.length > 0
}

/** The one row, kept still until the transaction ends: two operators' commands run one after the other. */
export async function lockCell(tx: Tx): Promise<Cell> {
  await sql`select 1 from cell where id = 1 for update`.execute(tx)
  return readCell(tx)
}

export async function recordLoss(tx: Tx, { from, until }: { from: Date; until: Date }): Promise<void> {
  await sql`update cell set lost_from = ${from}, lost_until = ${until}, restored_at = now() where id = 1`.execute(tx)
}

/**
 * Opens a new epoch and returns it. Sending starts again after the next comparison, which accepts the new epoch; so an operator's word counts
 * as a beat. The number comes from the clock, because a database that is restored twice from one backup would count to the same number
 * twice, and the jobs and the witness of the first time would count as current.
 */
export async function liftFence(tx: Tx): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    update cell
    set epoch = greatest(epoch + 1, extract(epoch from now() - timestamptz '2026-01-01Z')::int), fenced_at = null, fence_reason = null, open_until = now(), beat_at = now()
    where id = 1
    returning epoch`.execute(tx)
  const [cell] = rows
  if (!cell) throw new Error('the database has no cell row; run the migrations')
  return cell.epoch
}

export type MoveState = Pick<Selectable<WorkspaceMoveTable>, 'state' | 'cell'>

/** The command that moves a workspace renews its row. If the command is ended, the workspace works again after this time. */
const renewedWithin = sql`interval '2 minutes'`

/** SQL: the workspace in this column leaves for another cell. It sends nothing new, so that its last sends can end. */
export function isLeaving(column: string): RawBuilder<boolean> {
  return inState(column, ['leaving', 'closing'])
}

/** SQL: the workspace in this column is about to be taken out of this cell. Its requests are refused. */
export function isClosing(column: string): RawBuilder<boolean> {
  return inState(column, ['closing'])
}

function inState(column: string, states: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`
    exists (
      select from workspace_move m
      where m.id = ${sql.ref(column)} and m.state in (${sql.join(states.map((state) => sql.lit(state)))})
        and m.changed_at > now() - ${renewedWithin}
    )`
}

/** Not limited to a workspace: the workspace may be in another cell. */
export async function findMove(system: Db, workspaceId: string): Promise<MoveState | undefined> {
  return system.selectFrom('workspace_move').where('id', '=', workspaceId).select(['state', 'cell']).executeTakeFirst()
}

/** The move of the workspace that has this key or invitation. Not limited to a workspace: only the secret is known. */
export async function findMoveOfSecret(system: Db, hash: Buffer): Promise<MoveState | undefined> {
  const { rows } = await sql<MoveState>`
    select state, cell from workspace_move where secret_hashes @> array[${hash}::bytea] order by changed_at desc limit 1`.execute(
    system,
  )
  return rows[0]
}
