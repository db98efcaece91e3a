import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ChannelTable } from '../../../infra/db/tables.ts'
import type { PostRef } from '../post-status.store.ts'
import type { ChannelRow, PostKey, PostRow } from '../post.store.ts'
import { type FurtherPart, furtherText, labelsText } from './post-view.store.ts'

const columns = [
  'id',
  'state',
  'handle_at',
  'staged_at',
  'submitted_at',
  'published_at',
  'finished_at',
  'attempts',
  'error',
] as const

/** The columns of a channel that tell what happened to it. */
export type ChannelProgress = Pick<Selectable<ChannelTable>, (typeof columns)[number]>

export async function listChannelProgress(tx: Tx, { workspaceId, id }: PostKey): Promise<ChannelProgress[]> {
  return tx
    .selectFrom('channel')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .select(columns)
    .orderBy('position')
    .execute()
}

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
