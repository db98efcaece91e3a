import type { MediaType } from '@carillon/contract'
import { type Insertable, type RawBuilder, type SelectQueryBuilder, type Selectable, type Updateable, sql } from 'kysely'
import { containsText } from '../../infra/db/sql-parts.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { MediaTable, PostMediaTable, Tables } from '../../infra/db/tables.ts'

export type MediaRow = Selectable<MediaTable>
export type NewMedia = Insertable<MediaTable>
export type MediaKey = { workspaceId: string; id: string }
export type MediaFilter = {
  workspaceId: string
  type: MediaType | null
  search: string | null
  tags: string[] | null
  /** The id of a folder; `none`: only items without one. */
  folder: string | null
  /** True: only items that no post uses. False: only items that a post uses. */
  unused: boolean | null
  /** Only images have an alt text. */
  withoutAlt: boolean | null
}
export type MediaSort = 'createdAt' | 'name' | 'sizeBytes'

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

/** Gives a photo without an alt text this one. False if it has one, or is no photo. */
export async function fillMissingAlt(tx: Tx, { workspaceId, id }: MediaKey, alt: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('media')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('type', '=', 'image')
    .where('alt', '=', '')
    .set({ alt })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Foreign keys delete its renditions and its attachments to posts. */
export async function deleteMedia(tx: Tx, { workspaceId, id }: MediaKey): Promise<void> {
  await tx.deleteFrom('media').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function listMedia(
  tx: Tx,
  filter: MediaFilter,
  { limit, offset, cursor, sort }: { limit: number; offset: number; cursor: string | null; sort: MediaSort },
): Promise<MediaRow[]> {
  const query = matching(tx, filter).selectAll().limit(limit)
  const { order, isAfter } = sortings[sort]
  const page = cursor ? query.where(isAfter(filter.workspaceId, cursor)) : query.offset(offset)
  return page.orderBy(order).execute()
}

/** After the item with this id in the order of a column. Nothing, if the item no longer exists. */
const afterItem = (column: RawBuilder<unknown>, comparison: RawBuilder<unknown>) => (workspaceId: string, id: string) =>
  sql<boolean>`
  (${column}, media.id) ${comparison} (
    select ${column}, id
    from media
    where workspace_id = ${workspaceId} and id = ${id}
  )`

type Sorting = { order: RawBuilder<unknown>; isAfter: (workspaceId: string, id: string) => RawBuilder<boolean> }

const sortings: Readonly<Record<MediaSort, Sorting>> = {
  // Ids are ordered by time.
  createdAt: { order: sql`id desc`, isAfter: (_workspaceId, id) => sql<boolean>`id < ${id}` },
  name: { order: sql`lower(name), id`, isAfter: afterItem(sql`lower(name)`, sql`>`) },
  sizeBytes: { order: sql`size_bytes desc, id desc`, isAfter: afterItem(sql`size_bytes`, sql`<`) },
}

export async function countTags(tx: Tx, workspaceId: string, limit: number): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*)::int as count
    from media, unnest(tags) as tag
    where workspace_id = ${workspaceId}
    group by tag
    order by count desc, tag
    limit ${limit}`.execute(tx)
  return rows
}

/** An upload in parts is counted when it starts. Its parts may be larger than it says, so it counts as one full part at least. */
export const openUploadBytesMin = 64 * 1024 ** 2

/** The bytes of the uploaded files of a workspace, and of the uploads that are open. */
export async function sumStorage(tx: Tx, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select (
      select coalesce(sum(size_bytes), 0)
      from media
      where workspace_id = ${workspaceId}
    ) + (
      select coalesce(sum(greatest(size_bytes, ${openUploadBytesMin})), 0)
      from media_upload
      where workspace_id = ${workspaceId}
    ) as bytes`.execute(tx)
  return Number(rows[0]?.bytes ?? 0)
}

/** The same for all workspaces of the installation together. */
export async function sumInstallationStorage(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select sum_installation_storage(${openUploadBytesMin}) as bytes`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
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

function matching(
  tx: Tx,
  { workspaceId, type, search, tags, folder, unused, withoutAlt }: MediaFilter,
): SelectQueryBuilder<Tables, 'media', object> {
  let query = tx.selectFrom('media').where('workspace_id', '=', workspaceId)
  if (type) query = query.where('type', '=', type)
  if (search) query = query.where(containsText('name', search))
  if (tags) query = query.where(sql<boolean>`tags && ${tags}::text[]`)
  if (folder !== null) query = folder === 'none' ? query.where('folder_id', 'is', null) : query.where('folder_id', '=', folder)
  if (unused !== null) {
    const isUsed = sql<boolean>`exists (
      select
      from post_media
      where post_media.workspace_id = media.workspace_id and post_media.media_id = media.id
    )`
    query = query.where(unused ? sql<boolean>`not ${isUsed}` : isUsed)
  }
  if (withoutAlt !== null) query = query.where('type', '=', 'image').where('alt', withoutAlt ? '=' : '<>', '')
  return query
}

type PostKey = { workspaceId: string; postId: string }

export async function replacePostMedia(
  tx: Tx,
  { workspaceId, postId }: PostKey,
  rows: Insertable<PostMediaTable>[],
): Promise<void> {
  await tx.deleteFrom('post_media').where('workspace_id', '=', workspaceId).where('post_id', '=', postId).execute()
  if (rows.length > 0) await tx.insertInto('post_media').values(rows).execute()
}

/** The files of these posts, in order. */
export async function listPostMedia(tx: Db | Tx, workspaceId: string, postIds: readonly string[]) {
  if (postIds.length === 0) return []
  return tx
    .selectFrom('post_media')
    .innerJoin('media', (join) =>
      join.onRef('media.workspace_id', '=', 'post_media.workspace_id').onRef('media.id', '=', 'post_media.media_id'),
    )
    .where('post_media.workspace_id', '=', workspaceId)
    .where('post_media.post_id', 'in', postIds)
    .selectAll('media')
    .select(['post_media.post_id', 'post_media.connection_slug', 'post_media.position', 'post_media.alt as own_alt'])
    .orderBy('post_media.post_id')
    .orderBy('post_media.connection_slug')
    .orderBy('post_media.position')
    .execute()
}
