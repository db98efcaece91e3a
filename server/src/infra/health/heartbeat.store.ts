import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

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
