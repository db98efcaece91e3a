import { queryDatabase } from '../query-database.ts'

/** Posts that were published once a week at this wall time. `engagement` is the likes of each; null if the platform told nothing. */
export type PastPosts = {
  /** 1 is Monday, as in ISO 8601. */
  weekday: number
  time: string
  weeks: number
  engagement: number | null
}

/** Puts posts of past weeks, the newest about a week ago, straight into the database, on every connection of a workspace. Nothing is sent. */
export async function insertPastPosts(workspaceId: string, zone: string, posts: readonly PastPosts[]): Promise<void> {
  await queryDatabase(
    `with given as (
      select gen_random_uuid() as request_id, left(replace(gen_random_uuid()::text, '-', ''), 24) as id, engagement,
        ((date_trunc('week', now() at time zone $3)::date - 7 * (2 + week) + weekday - 1) + time::time) at time zone $3 as at
      from json_to_recordset($2) as g (weekday int, time text, weeks int, engagement int)
      cross join lateral generate_series(0, g.weeks - 1) as week
    ),
    added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, timezone, warnings, published_at,
        created_at, updated_at)
      select $1, id, request_id, 'completed', 'text', 'The bells ring.', '{}', at, $3, '[]', at, at, at
      from given
    ),
    part as (
      select g.*, left(replace(gen_random_uuid()::text, '-', ''), 24) as channel_id, c.id as connection_id, c.slug, c.display_name, c.platform,
        row_number() over (partition by g.id order by c.slug) - 1 as position
      from given g
      join connection c on c.workspace_id = $1
    ),
    sent as (
      insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage,
        warnings, due_at, finished_at, published_at, late_ms)
      select $1, channel_id, id, position, connection_id, slug, display_name, platform, 'published', false, '[]', at, at, at, 80
      from part
    )
    insert into channel_metric (workspace_id, channel_id, platform, published_at, asked_at, collected_at, likes)
    select $1, channel_id, platform, at, at + interval '5 days', at + interval '5 days', engagement
    from part
    where engagement is not null`,
    [workspaceId, JSON.stringify(posts), zone],
  )
}
