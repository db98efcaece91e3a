import { sql } from 'kysely'
import { type ChoreStatus, listChores } from '../chores/chore.store.ts'
import type { Db } from '../db/db.ts'
import { findUnknownPlatforms } from '../db/known-platforms.store.ts'
import { type Overdue, readOverdue } from '../metrics/overdue.store.ts'

export async function saveHeartbeat(system: Db, worker: string): Promise<void> {
  await sql`
    insert into heartbeat (worker, at)
    values (${worker}, now())
    on conflict (worker) do update set at = now()`.execute(system)
}

/** How long ago a heartbeat of this worker came back through the engine, or null if none ever did. */
export async function findHeartbeatAgeMs(system: Db, worker: string): Promise<number | null> {
  const { rows } = await sql<{ age_ms: number }>`
    select (extract(epoch from now() - at) * 1000)::float8 as age_ms
    from heartbeat
    where worker = ${worker}`.execute(system)
  return rows[0]?.age_ms ?? null
}

/** Workers of which a heartbeat came back lately. One is sent every 8 s. */
export async function countWorkers(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from heartbeat where at > now() - interval '30 seconds'`.execute(system)
  return rows[0]?.count ?? 0
}

export type PipelineStatus = Overdue & {
  /** How long ago any worker last completed a heartbeat; null if none ever did. */
  heartbeatAgeMs: number | null
  /** Due channels that wait for a release that knows their platform. */
  unknownPlatforms: readonly { platform: string; number: number }[]
  chores: readonly ChoreStatus[]
}

/** Reads whether posts go out, across all workspaces. */
export async function readPipelineStatus(system: Db): Promise<PipelineStatus> {
  return {
    heartbeatAgeMs: await readHeartbeatAgeMs(system),
    unknownPlatforms: await findUnknownPlatforms(system),
    chores: await listChores(system),
    ...(await readOverdue(system)),
  }
}

export async function readHeartbeatAgeMs(system: Db): Promise<number | null> {
  const { rows } = await sql<{ heartbeat_age_ms: number | null }>`
    select (extract(epoch from now() - max(at)) * 1000)::float8 as heartbeat_age_ms from heartbeat`.execute(system)
  return rows[0]?.heartbeat_age_ms ?? null
}

export async function isDatabaseUp(system: Db): Promise<boolean> {
  const { rows } = await sql`select 1`.execute(system)
  return rows.length === 1
}
