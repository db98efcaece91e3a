import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

export type PipelineStatus = {
  /** How long ago any worker last completed a heartbeat; null if none ever did. */
  heartbeatAgeMs: number | null
  /** How long the longest waiting channel is past its due time without being claimed; null if none is. */
  overdueMs: number | null
}

/** Reads whether posts go out, across all workspaces. The start of the index `channel_due_by_platform` answers the second part. */
export async function readPipelineStatus(system: Db): Promise<PipelineStatus> {
  const { rows } = await sql<{ heartbeat_age_ms: number | null; overdue_ms: number | null }>`
    select
      (select extract(epoch from now() - max(at)) * 1000 from heartbeat)::float8 as heartbeat_age_ms,
      (
        select extract(epoch from now() - wake_at) * 1000
        from channel
        where wake_at < now()
        order by wake_at
        limit 1
      )::float8 as overdue_ms`.execute(system)
  return { heartbeatAgeMs: rows[0]?.heartbeat_age_ms ?? null, overdueMs: rows[0]?.overdue_ms ?? null }
}

export async function isDatabaseUp(system: Db): Promise<boolean> {
  const { rows } = await sql`select 1`.execute(system)
  return rows.length === 1
}
