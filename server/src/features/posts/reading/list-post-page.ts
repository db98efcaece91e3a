import type { PostStatus, PostType, QueryOf, ReturnsOf, content } from '@carillon/contract'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { countPosts, listPosts, type PostFilter } from './post-list.store.ts'
import { showPosts } from './show-post.ts'

const dayMs = 86_400_000

export async function listPostPage(
  scope: RequestScope,
  query: QueryOf<typeof content.list>,
): Promise<ReturnsOf<typeof content.list>> {
  const { tx, principal } = scope
  const { page = 1, limit = 10 } = query
  const { workspaceId } = principal
  const filter: PostFilter = {
    workspaceId,
    statuses: splitList<PostStatus>(query.status),
    types: splitList<PostType>(query.type),
    platforms: splitList(query.platform),
    from: query.from ? new Date(query.from) : null,
    to: query.to ? endOf(query.to) : null,
    search: query.search ?? null,
    archived: query.archived === 'any' ? null : query.archived === 'true',
  }
  const [found, total] = await Promise.all([
    listPosts(tx, filter, { limit, offset: (page - 1) * limit, cursor: query.cursor ?? null }),
    countPosts(tx, filter),
  ])
  const nextCursor = found.length === limit ? (found.at(-1)?.post.id ?? null) : null
  return {
    data: await showPosts(scope, found),
    meta: { total, page, limit, totalPages: Math.ceil(total / limit), nextCursor },
  }
}

/** The exclusive end of a range: a date includes its whole UTC day, an instant only itself. */
function endOf(to: string): Date {
  const start = new Date(to)
  return /^\d{4}-\d\d-\d\d$/.test(to) ? new Date(start.getTime() + dayMs) : new Date(start.getTime() + 1)
}

function splitList<T extends string = string>(list: string | undefined): T[] | null {
  return list ? (list.split(',') as T[]) : null
}
