import type pg from 'pg'

export type SeededFigures = { workspaceId: string; channels: number }

/** Posts are followed for thirty days, so a channel has figures of the day on which it was published and of thirty more. */
export const daysPerChannel = 31

export function channelIdOf(n: number): string {
  return n.toString(16).padStart(24, '0')
}

/**
 * Inserts the figures of channels that were published 60 days ago, by day, as pulls would have stored them. How often posts are seen differs by
 * a factor of a thousand; each day adds about a third of what is still to come, so quiet posts stop changing after some days. Two of six
 * figures are not reported, as on most platforms. Foreign keys are off, because the figures have no posts.
 */
export async function seedFigures(db: pg.Pool, { workspaceId, channels }: SeededFigures): Promise<void> {
  const client = await db.connect()
  try {
    await client.query('set session_replication_role = replica; set synchronous_commit = off')
    await client.query(
      `
      insert into channel_metric (workspace_id, channel_id, platform, published_at, asked_at, collected_at)
      select $1, lpad(to_hex(n), 24, '0'), 'x', now() - interval '60 days', now() - interval '30 days', now() - interval '30 days'
      from generate_series(0, $2::int - 1) as n
      on conflict do nothing`,
      [workspaceId, channels],
    )
    // Day after day, as they arrive.
    for (let age = 0; age < daysPerChannel; age++) await client.query(insertDay, [workspaceId, channels, age])
    await client.query('reset all')
  } finally {
    client.release()
  }
}

const insertDay = `
  insert into metric_day (workspace_id, channel_id, day, likes, comments, shares, impressions)
  select $1, lpad(to_hex(n), 24, '0'), current_date - 60 + $3::int,
    floor(seen * 0.03), floor(seen * 0.004), floor(seen * 0.006), floor(seen)
  from generate_series(0, $2::int - 1) as n,
    lateral (select 10 ^ (1 + 3 * (n * 7919 % 1000) / 1000.0) * (1 - exp(-($3::int + 0.3) / 3.0)) as seen) as post`
