import type { ConnectionOptions } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { StoredFile } from '../../media/upload/store-file.ts'
import { storeRemoteFile } from '../../media/upload/store-remote-file.ts'
import { isUrl } from './post-files.ts'

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
