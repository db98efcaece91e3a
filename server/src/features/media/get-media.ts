import type { Media, QueryOf, ReturnsOf, media } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { countMedia, countTags, findMediaItem, listMedia, type MediaRow } from './media.store.ts'
import { presentItem, presentMedia } from './present-media.ts'

export async function getMedia(scope: RequestScope, id: string): Promise<Media> {
  return presentItem(scope.ctx, scope.tx, await loadMedia(scope, id))
}

export async function listMediaPage(
  { ctx, tx, principal }: RequestScope,
  {
    page = 1,
    limit = 10,
    cursor,
    sort = 'createdAt',
    type,
    search,
    tags,
    folder,
    unused,
    withoutAlt,
  }: QueryOf<typeof media.list>,
): Promise<ReturnsOf<typeof media.list>> {
  const filter = {
    workspaceId: principal.workspaceId,
    type: type ?? null,
    search: search ?? null,
    tags: tags?.split(',').map((tag) => tag.trim()) ?? null,
    folder: folder ?? null,
    unused: unused === undefined ? null : unused === 'true',
    withoutAlt: withoutAlt === undefined ? null : withoutAlt === 'true',
  }
  const rows = await listMedia(tx, filter, { limit, offset: (page - 1) * limit, cursor: cursor ?? null, sort })
  const nextCursor = rows.length === limit ? (rows.at(-1)?.id ?? null) : null
  return { results: await presentMedia(ctx, tx, rows), total: await countMedia(tx, filter), page, limit, nextCursor }
}

const tagsMax = 500

export function listTags({ tx, principal }: RequestScope): Promise<ReturnsOf<typeof media.tags>> {
  return countTags(tx, principal.workspaceId, tagsMax)
}

/** The item; throws `media_not_found` if there is none. */
export async function loadMedia({ tx, principal }: RequestScope, id: string, lock = false): Promise<MediaRow> {
  const row = await findMediaItem(tx, { workspaceId: principal.workspaceId, id }, lock)
  if (!row) throw problem('media_not_found')
  return row
}
