import {
  type ApprovalState,
  type PostStatus,
  type PostType,
  type QueryOf,
  type ReturnsOf,
  calendarEntriesMax,
  type content,
} from '@carillon/contract'
import type { Tx } from '../../../infra/db/db.ts'
import { rangeEnd } from '../../../infra/http/serve-file.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findCalendarEntries } from './calendar.store.ts'
import { type PostFilter, countPosts, listPosts, searchPosts } from './post-list.store.ts'
import { showPosts } from './present-post.ts'

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
    series: query.series ?? null,
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

/** The values of a query parameter that are separated by commas; null if the parameter is absent. */
function splitList<T extends string = string>(list: string | undefined): T[] | null {
  return list ? (list.split(',') as T[]) : null
}

export function listCalendar(
  { tx, principal }: RequestScope,
  query: QueryOf<typeof content.calendar>,
): Promise<ReturnsOf<typeof content.calendar>> {
  return findCalendar(tx, principal.workspaceId, query)
}

/** Also for a reader without a request of the API, such as a calendar program. */
export async function findCalendar(
  tx: Tx,
  workspaceId: string,
  query: QueryOf<typeof content.calendar>,
): Promise<ReturnsOf<typeof content.calendar>> {
  const filter = {
    workspaceId,
    from: new Date(query.from),
    to: rangeEnd(query.to),
    statuses: splitList<PostStatus>(query.status),
    platforms: splitList(query.platform),
    connections: splitList(query.connection),
    search: query.search ?? null,
    labels: splitList(query.label),
  }
  // One more than is shown tells whether there are more.
  const found = await findCalendarEntries(tx, filter, calendarEntriesMax + 1)
  return { entries: found.slice(0, calendarEntriesMax), truncated: found.length > calendarEntriesMax }
}
