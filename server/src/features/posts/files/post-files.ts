import type { ConnectionOptions, PostType } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findFiles, type MediaRow } from '../../media/find-files.ts'
import type { Attachment } from '../../media/attached-media.ts'
import { problem, type Detail } from '../../../infra/problem/problem.ts'
import { hasOwnFiles } from '../post-fields.ts'
import type { PendingMedia } from '../post.store.ts'

/** One file of a post. `row` is null while the file has not been fetched from its URL. */
export type PostFile = { entry: string; row: MediaRow | null; alt: string | null }

/** The files of a post: common ones for every connection, and a connection's own ones, which replace them. */
export type PostFiles = { common: readonly PostFile[]; own: ReadonlyMap<string, readonly PostFile[]> }

export const noFiles: PostFiles = { common: [], own: new Map() }

type NamesFiles = {
  medias?: readonly string[]
  mediaOptions?: readonly { alt?: string }[]
  platformOptions?: Record<string, ConnectionOptions> | null
}

const mediaTypeOf: Readonly<Record<PostType, MediaRow['type'] | null>> = {
  text: null,
  photo: 'image',
  video: 'video',
  document: 'document',
}

/** Looks up the files that a request names. Refuses files that do not exist or do not suit the type of the post. */
export async function resolveFiles(
  scope: RequestScope,
  type: PostType,
  { medias = [], mediaOptions = [], platformOptions }: NamesFiles,
): Promise<PostFiles> {
  const ownLists = Object.entries(platformOptions ?? {}).filter(([, options]) => hasOwnFiles(options))
  const lists = [
    { path: 'medias', entries: medias },
    ...ownLists.map(([slug, options]) => ({ path: `platformOptions.${slug}.medias`, entries: options.medias ?? [] })),
  ]
  refuseTooMany(type, lists)
  const named = lists.flatMap(({ path, entries }) =>
    entries.map((entry, index) => ({ entry, path: `${path}[${index}]`, isAlone: entries.length === 1 })),
  )
  const inLibrary = named.filter(({ entry }) => !isUrl(entry))
  const rows = await findFiles(
    scope,
    inLibrary.map(({ entry, path }) => ({ id: entry, path })),
  )
  refuseWrongTypes(type, inLibrary, rows)
  const file = (entry: string, alt: string | null): PostFile => ({ entry, row: rows.get(entry) ?? null, alt })
  return {
    common: medias.map((entry, index) => file(entry, mediaOptions[index]?.alt ?? null)),
    own: new Map(
      ownLists.map(([slug, options]) => {
        // Without files of its own, the connection has the common ones, with its own alt texts where it gives them.
        const commonOptions = options.medias ? [] : mediaOptions
        const alt = (index: number) => options.mediaOptions?.[index]?.alt ?? commonOptions[index]?.alt ?? null
        return [slug, (options.medias ?? medias).map((entry, index) => file(entry, alt(index)))]
      }),
    ),
  }
}

export function filesForChannel({ common, own }: PostFiles, slug: string): readonly PostFile[] {
  return own.get(slug) ?? common
}

export function isUrl(entry: string): boolean {
  return entry.startsWith('http')
}

/** Files to attach now, and the whole list as `pending` if a URL still has to be fetched. */
export function toAttachments({ common, own }: PostFiles): { attachments: Attachment[]; pending: PendingMedia[] | null } {
  const all = [
    ...common.map((file) => ({ connection: '', ...file })),
    ...[...own].flatMap(([connection, files]) => files.map((file) => ({ connection, ...file }))),
  ]
  const attachments = all.flatMap(({ connection, row, alt }) => (row ? [{ mediaId: row.id, alt, connection }] : []))
  const isComplete = all.every(({ row }) => row !== null)
  return { attachments, pending: isComplete ? null : all.map(({ connection, entry, alt }) => ({ connection, entry, alt })) }
}

/** The interface's own limit: a video or a document is exactly one file. A platform's limits are checked with its other rules. */
function refuseTooMany(type: PostType, lists: readonly { path: string; entries: readonly string[] }[]): void {
  if (type !== 'video' && type !== 'document') return
  const details = lists
    .filter(({ entries }) => entries.length > 1)
    .map(({ path, entries }) => ({
      path,
      code: 'too_many',
      message: `A ${type} post takes exactly one ${type}; this one has ${entries.length}.`,
      params: { limit: 1, actual: entries.length, unit: type },
    }))
  if (details.length > 0) throw problem('request_invalid', { details })
}

function refuseWrongTypes(
  type: PostType,
  named: readonly { entry: string; path: string; isAlone: boolean }[],
  rows: ReadonlyMap<string, MediaRow>,
): void {
  const wanted = mediaTypeOf[type]
  const details = named.flatMap(({ entry, path, isAlone }): Detail[] => {
    const kind = rows.get(entry)?.type
    // Whether a platform takes a video among photos is one of its rules.
    return kind === wanted || (type === 'photo' && kind === 'video' && !isAlone)
      ? []
      : [
          {
            path,
            code: 'media_kind',
            params: { type, kind: kind ?? null },
            message: wanted
              ? `A ${type} post takes only ${wanted}s; this file is of the kind ${kind ?? 'unknown'}.`
              : 'A text post takes no files.',
          },
        ]
  })
  if (details.length > 0) throw problem('request_invalid', { details })
}
