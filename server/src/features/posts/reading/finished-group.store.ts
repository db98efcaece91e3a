import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { matchesFinished, type FinishedFilter } from './finished.store.ts'

/** How many channels of a platform or of a connection finished. */
export type FinishedGroup = {
  platform: string
  connectionId: string | null
  connection: string | null
  targetName: string | null
  published: number
  failed: number
}

/** Most published first. A connection has the names that its last channel had. */
export async function countFinishedBy(tx: Tx, filter: FinishedFilter, by: 'platform' | 'connection'): Promise<FinishedGroup[]> {
  const names =
    by === 'platform'
      ? sql`null as "connectionId", null as connection, null as "targetName"`
      : sql`
        c.connection_id as "connectionId",
        (array_agg(c.connection_slug order by c.finished_at desc))[1] as connection,
        (array_agg(c.target_name order by c.finished_at desc))[1] as "targetName"`
  const { rows } = await sql<FinishedGroup>`
    select
      c.platform,
      ${names},
      count(*)::int as published,
      (count(*) filter (where c.outcome <> 'published'))::int as failed
    from channel c
    where ${matchesFinished(filter)}
    group by c.platform${by === 'platform' ? sql`` : sql`, c.connection_id`}
    order by published desc, c.platform, 2`.execute(tx)
  return rows
}

/** How many channels of the posts with each label finished. A post with several labels counts for each. */
export async function countFinishedByLabel(
  tx: Tx,
  filter: FinishedFilter,
): Promise<{ labelId: string; published: number; failed: number }[]> {
  const { rows } = await sql<{ labelId: string; published: number; failed: number }>`
    select
      l.label_id as "labelId",
      count(*)::int as published,
      (count(*) filter (where c.outcome <> 'published'))::int as failed
    from channel c
    join post_label l on l.workspace_id = c.workspace_id and l.post_id = c.post_id
    where ${matchesFinished(filter)}
    group by l.label_id
    order by published desc, l.label_id`.execute(tx)
  return rows
}
