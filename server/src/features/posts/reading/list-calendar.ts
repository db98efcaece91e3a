import { calendarEntriesMax, type content, type PostStatus, type QueryOf, type ReturnsOf } from '@carillon/contract'
import type { Tx } from '../../../infra/db/db.ts'
import { rangeEnd } from '../../../infra/http/range-end.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { findCalendarEntries } from './calendar.store.ts'
import { splitList } from './read-filter.ts'

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
