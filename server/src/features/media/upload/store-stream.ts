import type { Readable } from 'node:stream'
import type { Context } from '../../../context.ts'
import { requireFreeStorage } from '../guard-storage.ts'
import { receiveFile } from './receive-file.ts'
import { storeFile, type StoredFile } from './store-file.ts'

/** Receives one file and stores it. The caller adds it to the library with `insertStoredFile`. */
export async function storeStream(
  ctx: Context,
  { workspaceId, name, source }: { workspaceId: string; name: string; source: Readable },
): Promise<StoredFile> {
  await requireFreeStorage(ctx, workspaceId)
  return storeFile(ctx, { ...(await receiveFile(ctx, source)), workspaceId, name })
}
