import type { MediaRef } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import { findAttached } from './attached-media.ts'
import { presentMedia } from './present-media.ts'

/** The common files of posts in the API shape, by post. Files of single connections are left out. */
export async function describeFiles(
  ctx: Context,
  tx: Tx,
  workspaceId: string,
  postIds: readonly string[],
): Promise<Map<string, MediaRef[]>> {
  const attached = (await findAttached(tx, workspaceId, postIds)).filter(({ connection }) => connection === '')
  const items = await presentMedia(
    ctx,
    tx,
    attached.map(({ row }) => row),
  )
  const refs = attached.flatMap(({ postId, alt }, index) => {
    const item = items[index]
    if (!item) return []
    const { id, name, type, mimeType, url, thumbnailUrl, pages } = item
    return [{ postId, ref: { id, name, type, mimeType, url, thumbnailUrl, pages, alt } }]
  })
  const grouped = Map.groupBy(refs, ({ postId }) => postId)
  return new Map([...grouped].map(([postId, list]) => [postId, list.map(({ ref }) => ref)]))
}
