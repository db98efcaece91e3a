import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { findUnknownPlatforms } from '../db/known-platforms.store.ts'
import { readOverdue, type Overdue } from '../metrics/overdue.store.ts'

export type PipelineStatus = Overdue & {
  /** How long ago any worker last completed a heartbeat; null if none ever did. */
  heartbeatAgeMs: number | null
  /** Due channels that wait for a release that knows their platform. */
  unknownPlatforms: readonly { platform: string; number: number }[]
}

/** Reads whether posts go out, across all workspaces. */
export async function readPipelineStatus(system: Db): Promise<PipelineStatus> {
  return {
    heartbeatAgeMs: await readHeartbeatAgeMs(system),
    unknownPlatforms: await findUnknownPlatforms(system),
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
