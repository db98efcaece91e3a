import type { Context } from '../../../context.ts'
import { keptMs, runDetachable, type Keep } from '../../../infra/queue/run-detachable.ts'
import { fillMissingAlt } from '../../media/media.store.ts'
import { attachMedia } from '../../media/attached-media.ts'
import { insertStoredFile, type StoredFile } from '../../media/upload/store-file.ts'
import { Problem } from '../../../infra/problem/problem.ts'
import { fetchNamedFiles } from '../../posts/files/prepare-with-files.ts'
import { isUrl } from '../../posts/files/post-files.ts'
import type { PendingMedia, PostKey } from '../../posts/post.store.ts'
import { fetchJob } from '../jobs.ts'
import { findPending, finishPending, keepFetching } from './pending.store.ts'

const keepFetches: Keep<PostKey> = async (ctx, posts) => {
  for (const post of posts) await keepFetching(ctx.db.system, post, keptMs)
}

/**
 * Fetches the files an asynchronous post names by address, once for all its channels. False if that takes longer than a run may: then it goes on
 * in this process.
 */
export async function fetchPending(ctx: Context, key: PostKey): Promise<boolean> {
  const pending = await findPending(ctx.db.system, key)
  if (!pending) return true
  if (pending.isFetching) return false
  const address = pending.medias.map(({ entry }) => entry).find(isUrl)
  const to = { chosenHost: URL.parse(address ?? '')?.host ?? '' }
  let isDone = false
  await runDetachable(ctx, { workspaceId: key.workspaceId, to, job: fetchJob(key), refs: [key], keep: keepFetches }, async () => {
    await fetchFiles(ctx, key, pending.medias)
    isDone = true
    return []
  })
  return isDone
}

/** What cannot be had is kept as the reason. */
async function fetchFiles(ctx: Context, key: PostKey, pending: readonly PendingMedia[]): Promise<void> {
  const stored: StoredFile[] = []
  try {
    const { medias } = await fetchNamedFiles(
      ctx,
      { medias: pending.map(({ entry }) => entry) },
      { workspaceId: key.workspaceId, stored },
    )
    await ctx.db.tenant(key.workspaceId, async (tx) => {
      if (!(await finishPending(tx, key, { files: pending, error: null }))) return
      for (const file of stored) await insertStoredFile(ctx, tx, file)
      const attachments = pending.map(({ connection, alt }, at) => ({ mediaId: medias[at] ?? '', alt, connection }))
      await attachMedia(tx, { workspaceId: key.workspaceId, postId: key.id }, attachments)
      // What was written for a file that had to be fetched first becomes that of the file too.
      for (const { mediaId: id, alt } of attachments)
        if (alt?.trim()) await fillMissingAlt(tx, { workspaceId: key.workspaceId, id }, alt.trim())
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const reason = error.details?.map(({ message }) => message).join(' ') || error.message
    await ctx.db.tenant(key.workspaceId, (tx) => finishPending(tx, key, { files: pending, error: reason }))
  }
}
