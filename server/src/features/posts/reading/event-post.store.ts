import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ChannelRow, PostRow } from '../post.store.ts'
import type { PostRef } from '../post-status.store.ts'
import { furtherText, labelsText, type FurtherPart } from './post-view.store.ts'

type LabelledRow = PostRow & { labels: string[] | null }

/** Posts and all their channels in two statements, across workspaces: the relay delivers the events of all of them. */
export async function findEventPosts(
  tx: Db | Tx,
  keys: readonly PostRef[],
): Promise<{ posts: LabelledRow[]; channels: (ChannelRow & { further: readonly FurtherPart[] })[] }> {
  const wanted = sql`(
    select *
    from unnest(${keys.map((key) => key.workspaceId)}::text[], ${keys.map((key) => key.postId)}::text[])
  )`
  const posts = await sql<LabelledRow>`
    select *, ${sql.raw(labelsText)}
    from post
    where (workspace_id, id) in ${wanted}`.execute(tx)
  const channels = await sql<ChannelRow & { further: readonly FurtherPart[] }>`
    select *, ${sql.raw(furtherText)}
    from channel
    where (workspace_id, post_id) in ${wanted}
    order by position`.execute(tx)
  return { posts: posts.rows, channels: channels.rows }
}
