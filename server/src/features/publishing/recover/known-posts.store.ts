import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'

type Place = { workspace_id: string; connection_id: string; id: string }

/** The platform's ids of posts that other channels of this connection hold. They cannot be the post that is looked for. */
export async function findKnownPostIds(system: Db, { workspace_id, connection_id, id }: Place): Promise<Set<string>> {
  const { rows } = await sql<{ platform_post_id: string }>`
    select c.platform_post_id
    from channel c
    where c.workspace_id = ${workspace_id} and c.connection_id = ${connection_id} and c.id <> ${id}
      and c.outcome = 'published' and c.platform_post_id is not null
    order by c.published_at desc
    limit 1000`.execute(system)
  return new Set(rows.map((row) => row.platform_post_id))
}
