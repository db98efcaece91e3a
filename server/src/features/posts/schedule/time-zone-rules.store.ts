import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'

/** The version of the time zone rules that scheduled posts were last computed with; null on a new database. */
export async function findRulesVersion(system: Db): Promise<string | null> {
  const { rows } = await sql<{ edition: string }>`select edition from zone_rules where id = 1`.execute(system)
  return rows[0]?.edition ?? null
}

export async function saveRulesVersion(system: Db, version: string): Promise<void> {
  await sql`
    insert into zone_rules (edition)
    values (${version})
    on conflict (id) do update
      set edition = greatest(zone_rules.edition, excluded.edition)`.execute(system)
}

export type WallTime = { workspaceId: string; id: string; wall: string; timezone: string; at: Date | null }

/** Posts that are scheduled by wall time, across all workspaces, in pages: those after the given one. */
export async function listWallTimes(system: Db, after: { workspaceId: string; id: string }, limit: number): Promise<WallTime[]> {
  const { rows } = await sql<WallTime>`
    select workspace_id as "workspaceId", id, scheduled_wall as wall, timezone, scheduled_at as at
    from post
    where (workspace_id, id) > (${after.workspaceId}, ${after.id})
      and status in ('draft', 'scheduled')
      and scheduled_wall is not null
      and timezone is not null
    order by workspace_id, id
    limit ${limit}`.execute(system)
  return rows
}
