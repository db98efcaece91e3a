import type { EventName, LoggedEvent, QueryOf, ReturnsOf, events } from '@carillon/contract'
import { rangeEnd } from '../../../infra/http/range-end.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { loadEventData } from '../load-event-data.ts'
import { findLoggedEvents } from './event-log.store.ts'

const limitDefault = 50

/** A page of the log. Posts and connections are read now: the log has only their ids. */
export async function listEvents(
  { ctx, tx, principal }: RequestScope,
  { type, from, to, cursor, limit = limitDefault }: QueryOf<typeof events.list>,
): Promise<ReturnsOf<typeof events.list>> {
  const { workspaceId } = principal
  const rows = await findLoggedEvents(tx, {
    workspaceId,
    events: type ? (type.split(',') as EventName[]) : null,
    from: from ? new Date(from) : null,
    to: to ? rangeEnd(to) : null,
    after: cursor ?? null,
    limit,
  })
  const logged = rows.map(({ id, event, at, post_id: postId, channel_id: channelId, connection_id: connectionId }) => {
    return { id, happened: { workspaceId, event, postId, channelId, connectionId, personId: null, atMs: at.getTime() } }
  })
  const dataOf = await loadEventData(
    ctx,
    { tx, system: ctx.db.system },
    logged.map(({ happened }) => happened),
  )
  const data = logged.map(({ id, happened }) => ({
    id,
    event: happened.event,
    timestamp: new Date(happened.atMs).toISOString(),
    workspaceId,
    data: (dataOf(happened) ?? null) as LoggedEvent['data'],
  }))
  return { data, nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null }
}
