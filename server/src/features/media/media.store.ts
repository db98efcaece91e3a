import type { MediaType } from '@carillon/contract'
import { sql, type Insertable, type Selectable, type SelectQueryBuilder, type Updateable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { MediaTable, Tables } from '../../infra/db/tables.ts'

export type MediaRow = Selectable<MediaTable>
export type NewMedia = Insertable<MediaTable>
export type MediaKey = { workspaceId: string; id: string }
export type MediaFilter = { workspaceId: string; type: MediaType | null; search: string | null; tags: string[] | null }

const usesMax = 100

export async function insertMedia(tx: Tx, row: NewMedia): Promise<MediaRow> {
  return tx.insertInto('media').values(row).returningAll().executeTakeFirstOrThrow()
}

/** With `lock`, no post can start to use the item until the transaction ends. */
export async function findMediaItem(tx: Db | Tx, { workspaceId, id }: MediaKey, lock = false): Promise<MediaRow | undefined> {
  let query = tx.selectFrom('media').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll()
  if (lock) query = query.forUpdate()
  return query.executeTakeFirst()
}

export async function findMediaItems(tx: Db | Tx, workspaceId: string, ids: readonly string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  return tx.selectFrom('media').where('workspace_id', '=', workspaceId).where('id', 'in', ids).selectAll().execute()
}

export async function updateMedia(
  tx: Tx,
  { workspaceId, id }: MediaKey,
  change: Updateable<MediaTable>,
): Promise<MediaRow | undefined> {
  return tx
    .updateTable('media')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returningAll()
    .executeTakeFirst()
}

/** Foreign keys delete its renditions and its attachments to posts. */
export async function deleteMedia(tx: Tx, { workspaceId, id }: MediaKey): Promise<void> {
  await tx.deleteFrom('media').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function listMedia(
  tx: Tx,
  filter: MediaFilter,
  { limit, offset, cursor }: { limit: number; offset: number; cursor: string | null },
): Promise<MediaRow[]> {
  const query = matching(tx, filter).selectAll().orderBy('id', 'desc').limit(limit)
  return (cursor ? query.where('id', '<', cursor) : query.offset(offset)).execute()
}

export async function countMedia(tx: Tx, filter: MediaFilter): Promise<number> {
  const { total } = await matching(tx, filter)
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The posts that use each of these items, newest first. */
export async function findUses(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; posts: string[] }>`
    select
      item.id,
      array(
        select distinct post_id
        from post_media
        where workspace_id = ${workspaceId} and media_id = item.id
        order by post_id desc
        limit ${usesMax}
      ) as posts
    from unnest(${[...ids]}::text[]) as item (id)`.execute(tx)
  return new Map(rows.map(({ id, posts }) => [id, posts]))
}

/** True if a post that may still be sent uses the item: one that has not finished, or one with a channel that can be retried. */
export async function isMediaNeeded(tx: Tx, { workspaceId, id }: MediaKey): Promise<boolean> {
  const found = await tx
    .selectFrom('post_media')
    .innerJoin('post', (join) =>
      join.onRef('post.workspace_id', '=', 'post_media.workspace_id').onRef('post.id', '=', 'post_media.post_id'),
    )
    .where('post_media.workspace_id', '=', workspaceId)
    .where('post_media.media_id', '=', id)
    .where((where) =>
      where.or([
        where('post.status', 'in', ['draft', 'scheduled', 'queued', 'publishing']),
        where.exists(
          where
            .selectFrom('channel')
            .whereRef('channel.workspace_id', '=', 'post.workspace_id')
            .whereRef('channel.post_id', '=', 'post.id')
            .where('channel.state', 'not in', ['published', 'canceled'])
            .select(sql`1`.as('one')),
        ),
      ]),
    )
    .select('post.id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

function matching(tx: Tx, { workspaceId, type, search, tags }: MediaFilter): SelectQueryBuilder<Tables, 'media', object> {
  let query = tx.selectFrom('media').where('workspace_id', '=', workspaceId)
  if (type) query = query.where('type', '=', type)
  if (search) query = query.where('name', 'ilike', `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`)
  if (tags) query = query.where(sql<boolean>`tags && ${tags}::text[]`)
  return query
}
