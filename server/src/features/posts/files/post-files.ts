import type { ConnectionOptions, PostType } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { type Detail, problem } from '../../../infra/problem/problem.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { type Attachment, findAttached } from '../../media/attached-media.ts'
import { type MediaRow, findFiles } from '../../media/find-files.ts'
import { fillMissingAlt } from '../../media/media.store.ts'
import { hasOwnFiles } from '../post-fields.ts'
import type { PendingMedia, PostRow } from '../post.store.ts'

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

/**
 * The first alt text that somebody writes for a photo becomes that of the file, so that nobody has to write it again. Only posts that leave
 * the draft do this: a draft is saved while its text is being typed.
 */
export async function adoptAltTexts({ tx, principal, nowMs }: RequestScope, { common, own }: PostFiles): Promise<void> {
  const texts = new Map<string, string>()
  for (const { row, alt } of [...common, ...[...own.values()].flat()]) {
    const text = alt?.trim() ?? ''
    if (text !== '' && row?.type === 'image' && row.alt === '' && !texts.has(row.id)) texts.set(row.id, text)
  }
  const { workspaceId, personId } = principal
  // In the order of their ids, so that two posts with the same photos do not wait for each other.
  for (const [id, alt] of [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (await fillMissingAlt(tx, { workspaceId, id }, alt))
      await recordEvents(tx, [{ workspaceId, event: 'media.changed', subjectId: id, personId, atMs: nowMs }])
}

/** The files of a stored post, in the same shape as those of a request. */
export async function listStoredFiles({ tx }: RequestScope, post: PostRow): Promise<PostFiles> {
  if (post.pending_medias) {
    const files = post.pending_medias.map(({ connection, entry, alt }) => ({ connection, file: { entry, row: null, alt } }))
    return groupByConnection(files, post)
  }
  const attached = post.type === 'text' ? [] : await findAttached(tx, post.workspace_id, [post.id])
  const files = attached.map(({ connection, row, ownAlt }) => ({ connection, file: { entry: row.id, row, alt: ownAlt } }))
  return groupByConnection(files, post)
}

type ConnectionFile = { connection: string; file: PostFile }

/** A connection with files of its own has them even if they were deleted since: the common ones do not take their place. */
function groupByConnection(files: readonly ConnectionFile[], { platform_options }: PostRow): PostFiles {
  const byConnection = Map.groupBy(files, ({ connection }) => connection)
  const list = (connection: string) => (byConnection.get(connection) ?? []).map(({ file }) => file)
  const slugs = Object.keys(platform_options).filter((slug) => hasOwnFiles(platform_options[slug]))
  return { common: list(''), own: new Map(slugs.map((slug) => [slug, list(slug)])) }
}
