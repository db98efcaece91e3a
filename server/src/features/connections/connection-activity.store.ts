import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

/** What a connection is used for. */
export type ConnectionActivity = { scheduledChannels: number; lastPublishedAt: Date | null }

const countMax = 1000

/** One statement for all connections; each reads only the end of an index and at most `countMax` channels. */
export async function findActivity(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, ConnectionActivity>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ConnectionActivity & { id: string }>`
    select
      k.id,
      (
        select count(*)::int
        from (
          select
          from channel c
          where c.workspace_id = ${workspaceId}
            and c.connection_id = k.id
            and c.finished_at is null
            and c.state in ('scheduled', 'dispatched')
          limit ${countMax}
        ) as waiting
      ) as "scheduledChannels",
      (
        select c.published_at
        from channel c
        where c.workspace_id = ${workspaceId}
          and c.connection_id = k.id
          and c.outcome = 'published'
          and c.platform_post_id is not null
        order by c.published_at desc
        limit 1
      ) as "lastPublishedAt"
    from unnest(${[...ids]}::text[]) as k (id)`.execute(tx)
  return new Map(rows.map(({ id, ...activity }) => [id, activity]))
}
