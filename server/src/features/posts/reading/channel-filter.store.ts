import { sql, type RawBuilder } from 'kysely'

/** `connections` are slugs or ids. */
export type ChannelFilter = { platforms: string[] | null; connections: string[] | null }

/** A condition on `post`: one of its channels is on one of these platforms and connections. Null if there is nothing to filter by. */
export function channelFilter({ platforms, connections }: ChannelFilter): RawBuilder<boolean> | null {
  const conditions = []
  if (platforms) conditions.push(sql`c.platform = any(${platforms})`)
  if (connections) conditions.push(sql`(c.connection_slug = any(${connections}) or c.connection_id = any(${connections}))`)
  if (conditions.length === 0) return null
  return sql<boolean>`exists (
    select
    from channel c
    where c.workspace_id = post.workspace_id and c.post_id = post.id and ${sql.join(conditions, sql` and `)}
  )`
}
