import type { Context } from '../../../context.ts'
import { attachMedia } from '../../media/attached-media.ts'
import { insertStoredFile, type StoredFile } from '../../media/upload/store-file.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import { fetchNamedFiles } from '../../posts/files/fetch-named-files.ts'
import { findPending, finishPending } from './pending.store.ts'

/** Fetches the files an asynchronous post names by address, once for all its channels. What cannot be had is kept as the reason. */
export async function fetchPending(ctx: Context, key: { workspaceId: string; id: string }): Promise<void> {
  const pending = await findPending(ctx.db.system, key)
  if (!pending) return
  const stored: StoredFile[] = []
  try {
    const { medias } = await fetchNamedFiles(
      ctx,
      { medias: pending.map(({ entry }) => entry) },
      { workspaceId: key.workspaceId, stored },
    )
    await ctx.db.tenant(key.workspaceId, async (tx) => {
      for (const file of stored) await insertStoredFile(ctx, tx, file)
      const attachments = pending.map(({ connection, alt }, at) => ({ mediaId: medias[at] ?? '', alt, connection }))
      await attachMedia(tx, { workspaceId: key.workspaceId, postId: key.id }, attachments)
      await finishPending(tx, key, null)
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const reason = error.details?.map(({ message }) => message).join(' ') || error.message
    await ctx.db.tenant(key.workspaceId, (tx) => finishPending(tx, key, reason))
  }
}
