import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { requireFreeStorage } from '../../media/guard-storage.ts'
import { receiveFile } from '../../media/upload/receive-file.ts'
import { storeFile, type StoredFile } from '../../media/upload/store-file.ts'

/** Files of one request that are inspected and stored at once. */
const filesAtOnce = 4

/** Stores the files of one request. While files are inspected, which takes most of the time, the next ones arrive. */
export function createFileQueue(ctx: Context, workspaceId: string) {
  const storing: Promise<StoredFile>[] = []
  return {
    /** Returns when the file has arrived; `file` ends when it is stored. */
    async add(source: Readable, name: string): Promise<{ file: Promise<StoredFile>; sha256: Buffer }> {
      await requireFreeStorage(ctx, workspaceId)
      const received = await receiveFile(ctx, source)
      const file = storeFile(ctx, { ...received, workspaceId, name })
      // The caller may be reading the next part when this one is refused; it learns of it when it waits for the file.
      file.catch(() => {})
      storing.push(file)
      if (storing.length % filesAtOnce === 0) await Promise.all(storing)
      return { file, sha256: received.sha256 }
    },
    /** What was stored, also if another file was refused. Nothing is being stored any more afterwards. */
    async settle(): Promise<StoredFile[]> {
      const results = await Promise.allSettled(storing)
      return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    },
  }
}
