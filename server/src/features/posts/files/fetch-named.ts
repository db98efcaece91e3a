import type { ConnectionOptions } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { storeRemoteMedia, type Kept } from '../../media/upload/store-file.ts'
import { isAddress } from './post-files.ts'

type Named = { medias?: string[]; platformOptions?: Record<string, ConnectionOptions> | null }
type Into = { workspaceId: string; kept: Kept[] }

/** Fetches the files a request names by address; in what it gives back they are named by the ids they will have in the library. */
export async function fetchNamed<T extends Named>(ctx: Context, body: T, { workspaceId, kept }: Into): Promise<T> {
  const fetched = new Map<string, string>()
  const fetchAll = async (entries: readonly string[], path: string) => {
    for (const [at, url] of entries.entries()) {
      if (!isAddress(url) || fetched.has(url)) continue
      const file = await storeRemoteMedia(ctx, { workspaceId, url, path: `${path}[${at}]` })
      kept.push(file)
      fetched.set(url, file.row.id)
    }
  }
  const own = Object.entries(body.platformOptions ?? {})
  await fetchAll(body.medias ?? [], 'medias')
  for (const [slug, { medias = [] }] of own) await fetchAll(medias, `platformOptions.${slug}.medias`)
  if (fetched.size === 0) return body
  const byId = (entries: string[]) => entries.map((entry) => fetched.get(entry) ?? entry)
  return {
    ...body,
    ...(body.medias && { medias: byId(body.medias) }),
    platformOptions: Object.fromEntries(
      own.map(([slug, options]) => [slug, { ...options, ...(options.medias && { medias: byId(options.medias) }) }]),
    ),
  }
}
