import type { ConnectionOptions, PostType } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findFiles, type MediaRow } from '../../media/find-files.ts'
import type { Attachment } from '../../media/find-media.ts'
import { problem, type Detail } from '../../../infra/problem/problem.ts'
import type { PendingMedia } from '../post.store.ts'

/** One file of a post: in the library, or still at an address. */
export type PostFile = { entry: string; row: MediaRow | null; alt: string | null }

/** The files of a post: those for every connection, and those of single ones. */
export type PostFiles = { common: readonly PostFile[]; own: ReadonlyMap<string, readonly PostFile[]> }

export const noFiles: PostFiles = { common: [], own: new Map() }

type Named = {
  medias?: readonly string[]
  mediaOptions?: readonly { alt?: string }[]
  platformOptions?: Record<string, ConnectionOptions> | null
}

const kindOf: Readonly<Record<PostType, MediaRow['type'] | null>> = {
  text: null,
  photo: 'image',
  video: 'video',
  document: 'document',
}

/** Looks up the files a request names, and refuses those that are not there or not of the post's kind. */
export async function resolveFiles(
  scope: RequestScope,
  type: PostType,
  { medias = [], mediaOptions = [], platformOptions }: Named,
): Promise<PostFiles> {
  const ownLists = Object.entries(platformOptions ?? {}).flatMap(([slug, options]) =>
    options.medias ? [{ slug, medias: options.medias }] : [],
  )
  const named = [
    ...medias.map((entry, at) => ({ entry, path: `medias[${at}]` })),
    ...ownLists.flatMap(({ slug, medias: own }) =>
      own.map((entry, at) => ({ entry, path: `platformOptions.${slug}.medias[${at}]` })),
    ),
  ]
  const inLibrary = named.filter(({ entry }) => !isAddress(entry))
  const rows = await findFiles(
    scope,
    inLibrary.map(({ entry, path }) => ({ id: entry, path })),
  )
  refuseKinds(type, inLibrary, rows)
  const file = (entry: string, alt: string | null): PostFile => ({ entry, row: rows.get(entry) ?? null, alt })
  return {
    common: medias.map((entry, at) => file(entry, mediaOptions[at]?.alt ?? null)),
    own: new Map(ownLists.map(({ slug, medias: own }) => [slug, own.map((entry) => file(entry, null))])),
  }
}

export function filesFor({ common, own }: PostFiles, slug: string): readonly PostFile[] {
  return own.get(slug) ?? common
}

export function isAddress(entry: string): boolean {
  return entry.startsWith('http')
}

/** What to attach now, and what to remember when an address has yet to be fetched. */
export function attachmentsOf({ common, own }: PostFiles): { attachments: Attachment[]; pending: PendingMedia[] | null } {
  const all = [
    ...common.map((file) => ({ connection: '', ...file })),
    ...[...own].flatMap(([connection, files]) => files.map((file) => ({ connection, ...file }))),
  ]
  const attachments = all.flatMap(({ connection, row, alt }) => (row ? [{ mediaId: row.id, alt, connection }] : []))
  const isComplete = all.every(({ row }) => row !== null)
  return { attachments, pending: isComplete ? null : all.map(({ connection, entry, alt }) => ({ connection, entry, alt })) }
}

function refuseKinds(
  type: PostType,
  named: readonly { entry: string; path: string }[],
  rows: ReadonlyMap<string, MediaRow>,
): void {
  const wanted = kindOf[type]
  const details = named.flatMap(({ entry, path }): Detail[] => {
    const kind = rows.get(entry)?.type
    return kind === wanted
      ? []
      : [
          {
            path,
            message: wanted
              ? `A ${type} post takes only ${wanted}s; this file is of the kind ${kind ?? 'unknown'}.`
              : 'A text post takes no files.',
          },
        ]
  })
  if (details.length > 0) throw problem('request_invalid', { details })
}
