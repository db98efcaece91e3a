import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { inParallel } from '../../infra/engine/in-parallel.ts'
import { FileMissing } from '../../infra/storage/storage.ts'
import type { MediaFile } from './media-file.store.ts'

const copiesAtOnce = 4

export type CopiedFiles = { files: number; bytes: number; missing: number }

/** Both cells use the same store, so the files are already where the target looks for them. */
export function haveSameStore(source: Config, target: Config): boolean {
  const [from, to] = [source.media.s3, target.media.s3]
  if (from && to) return from.bucket === to.bucket && from.endpoint === to.endpoint && from.region === to.region
  return !from && !to && source.media.dir === target.media.dir
}

/** Copies the files that the target does not have. A file never changes, so a copy that is there with the same size is complete. */
export async function copyFiles(source: Context, target: Context, files: readonly MediaFile[]): Promise<CopiedFiles> {
  const copied: CopiedFiles = { files: 0, bytes: 0, missing: 0 }
  await inParallel(files, copiesAtOnce, async ({ key, mimeType }) => {
    const found = await source.storage.head(key)
    if (!found) {
      copied.missing++
      return
    }
    if ((await target.storage.head(key))?.sizeBytes === found.sizeBytes) return
    try {
      await target.storage.put(key, await source.storage.get(key), { mimeType })
      copied.files++
      copied.bytes += found.sizeBytes
    } catch (error) {
      // It was deleted in this moment, together with its row.
      if (!(error instanceof FileMissing)) throw error
      copied.missing++
    }
  })
  return copied
}
