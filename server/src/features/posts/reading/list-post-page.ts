import type { ApprovalState, PostStatus, PostType, QueryOf, ReturnsOf, content } from '@carillon/contract'
import { rangeEnd } from '../../../infra/http/range-end.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { countPosts, listPosts, type PostFilter } from './post-list.store.ts'
import { searchPosts } from './post-search.store.ts'
import { splitList } from './read-filter.ts'
import { showPosts } from './show-post.ts'

export async function listPostPage(
  scope: RequestScope,
  query: QueryOf<typeof content.list>,
): Promise<ReturnsOf<typeof content.list>> {
  const { tx, principal } = scope
  const { page = 1, limit = 10 } = query
  const { workspaceId } = principal
  const matches = query.search ? await searchPosts(tx, workspaceId, query.search) : null
  const filter: PostFilter = {
    workspaceId,
    statuses: splitList<PostStatus>(query.status),
    types: splitList<PostType>(query.type),
    platforms: splitList(query.platform),
    from: query.from ? new Date(query.from) : null,
    to: query.to ? rangeEnd(query.to) : null,
    search: query.search ?? null,
    externalId: query.externalId ?? null,
    ids: matches && matches.ids,
    approvals: splitList<ApprovalState>(query.approval),
    connections: splitList(query.connection),
    labels: splitList(query.label),
    archived: query.archived === 'any' ? null : query.archived === 'true',
  }
  // A text that very many posts contain is soon found by reading posts in their order.
  const listed = matches?.isCut ? { ...filter, ids: null } : filter
  const [found, total] = await Promise.all([
    listPosts(tx, listed, { limit, offset: (page - 1) * limit, cursor: query.cursor ?? null, sort: query.sort ?? 'createdAt' }),
    countPosts(tx, filter),
  ])
  const nextCursor = found.length === limit ? (found.at(-1)?.post.id ?? null) : null
  return {
    data: await showPosts(scope, found),
    meta: { total, page, limit, totalPages: Math.ceil(total / limit), nextCursor },
  }
}
