import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

export async function saveHeartbeat(system: Db, worker: string): Promise<void> {
  await sql`insert into heartbeat (worker, at) values (${worker}, now()) on conflict (worker) do update set at = now()`.execute(
    system,
  )
}

/** How long ago a worker last proved that it is alive, or null when none ever did. */
export async function lastBeatAgeMs(system: Db): Promise<number | null> {
  const { rows } = await sql<{
    age: number | null
  }>`select (extract(epoch from now() - max(at)) * 1000)::float8 as age from heartbeat`.execute(system)
  return rows[0]?.age ?? null
}
