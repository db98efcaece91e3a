import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

type Key = { workspaceId: string; connectionId: string }

/** Whether the platform was asked on this day (UTC), whatever it told. */
export async function wasAsked(tx: Tx, { workspaceId, connectionId }: Key, day: string): Promise<boolean> {
  const row = await tx
    .selectFrom('follower_day')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('day', '=', day)
    .select('day')
    .executeTakeFirst()
  return row !== undefined
}

/** Null if the platform told no number. A number of the same day is not replaced by that. */
export async function saveFollowers(
  tx: Tx,
  { workspaceId, connectionId }: Key,
  { day, followers }: { day: string; followers: number | null },
): Promise<void> {
  await sql`
    insert into follower_day as f (workspace_id, connection_id, day, followers)
    values (${workspaceId}, ${connectionId}, ${day}, ${followers})
    on conflict (workspace_id, connection_id, day) do update set
      followers = coalesce(excluded.followers, f.followers)`.execute(tx)
}

type FollowerDay = { connectionId: string; day: string; followers: number | null }

/** The days from `from` to `to` on which the platforms of these connections were asked, ordered by connection and day. */
export async function listFollowerDays(
  tx: Tx,
  workspaceId: string,
  { connectionIds, from, to }: { connectionIds: readonly string[]; from: string; to: string },
): Promise<FollowerDay[]> {
  const { rows } = await sql<FollowerDay>`
    select connection_id as "connectionId", to_char(day, 'YYYY-MM-DD') as day, followers::float8 as followers
    from follower_day
    where workspace_id = ${workspaceId}
      and connection_id = any(${connectionIds}::text[])
      and day between ${from} and ${to}
    order by connection_id, day`.execute(tx)
  return rows
}

/** So many connections are planned in one pass: after an upgrade, all of them have no pull yet. */
const plannedMax = 1000

/**
 * Plans a pull now for every usable connection of these platforms that has none planned: it has just been connected, or its posts are too old
 * for figures. Across workspaces.
 */
export async function planFollowerPulls(system: Db, platforms: readonly string[]): Promise<void> {
  await sql`
    insert into metric_pull as m (workspace_id, connection_id, platform, due_at)
    select c.workspace_id, c.id, c.platform, now()
    from connection c
    left join metric_pull p on p.workspace_id = c.workspace_id and p.connection_id = c.id
    where c.platform = any(${platforms}::text[])
      and c.status = 'active'
      and (p.workspace_id is null or (p.due_at is null and p.handed_at is null))
    order by 1, 2
    limit ${plannedMax}
    on conflict (workspace_id, connection_id) do update set
      due_at = greatest(excluded.due_at, m.held_until)
    where m.due_at is null and m.handed_at is null`.execute(system)
}
