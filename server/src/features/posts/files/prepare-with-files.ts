import type { Readable } from 'node:stream'
import type { ConnectionOptions } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { Answer, RequestScope } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { requireFreeStorage } from '../../media/guard-storage.ts'
import { receiveFile } from '../../media/upload/receive-file.ts'
import { type StoredFile, discardStoredFile, insertStoredFile, storeFile } from '../../media/upload/store-file.ts'
import { storeRemoteFile } from '../../media/upload/store-remote-file.ts'
import { isUrl } from './post-files.ts'

type StorePlan<R> = { fingerprint?: Buffer | null; store(scope: RequestScope): Promise<R | Answer<R>> }

/** Saves the files of a request in the same transaction as the post that uses them, or discards them if the request fails. */
export async function prepareWithFiles<R>(
  ctx: Context,
  prepare: (stored: StoredFile[]) => Promise<StorePlan<R>>,
): Promise<Prepared<R>> {
  const stored: StoredFile[] = []
  const discard = async () => {
    await Promise.all(stored.map((file) => discardStoredFile(ctx, file)))
  }
  try {
    const { fingerprint = null, store } = await prepare(stored)
    return {
      fingerprint,
      async store(scope) {
        for (const file of stored) await insertStoredFile(ctx, scope.tx, file)
        return store(scope)
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}

type NamesFiles = { medias?: string[]; platformOptions?: Record<string, ConnectionOptions> | null }
type Target = { workspaceId: string; stored: StoredFile[] }

/** Fetches the files that a request names by URL, and replaces each URL by the id that the file will have in the library. */
export async function fetchNamedFiles<T extends NamesFiles>(ctx: Context, body: T, { workspaceId, stored }: Target): Promise<T> {
  const fetched = new Map<string, string>()
  const fetchAll = async (entries: readonly string[], path: string) => {
    for (const [index, url] of entries.entries()) {
      if (!isUrl(url) || fetched.has(url)) continue
      const file = await storeRemoteFile(ctx, { workspaceId, url, path: `${path}[${index}]` })
      stored.push(file)
      fetched.set(url, file.row.id)
    }
  }
  const optionEntries = Object.entries(body.platformOptions ?? {})
  await fetchAll(body.medias ?? [], 'medias')
  for (const [slug, { medias = [] }] of optionEntries) await fetchAll(medias, `platformOptions.${slug}.medias`)
  if (fetched.size === 0) return body
  const replaceUrls = (entries: string[]) => entries.map((entry) => fetched.get(entry) ?? entry)
  return {
    ...body,
    ...(body.medias && { medias: replaceUrls(body.medias) }),
    // Absent options stay absent: in a change of a draft, an empty object would delete the stored ones.
    ...(body.platformOptions && {
      platformOptions: Object.fromEntries(
        optionEntries.map(([slug, options]) => [
          slug,
          { ...options, ...(options.medias && { medias: replaceUrls(options.medias) }) },
        ]),
      ),
    }),
  }
}

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
