import type { analytics, ConnectionFollowers, QueryOf } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { tellsFollowers } from '../connections/connector-of.ts'
import { describeConnections } from '../connections/present-connection.ts'
import { listFollowerDays } from './follower.store.ts'
import { invalidField, periodsBetween, resolveRange } from './resolve-range.ts'

const daysMax = 400

/** The followers of each account on each day of a range. Days without a number are null: nothing is estimated between two numbers. */
export async function getFollowers(
  scope: RequestScope,
  query: QueryOf<typeof analytics.followers>,
): Promise<ConnectionFollowers[]> {
  const { from, to } = resolveRange(scope, query)
  const dates = periodsBetween({ from, to }, { granularity: 'day', max: daysMax })
  if (dates.length > daysMax) throw invalidField('from', `The range has more than ${daysMax} days; make it shorter.`)
  const slugs = query.connections === undefined ? null : new Set(query.connections.split(','))
  const connections = (await describeConnections(scope)).filter(({ slug }) => slugs?.has(slug) ?? true)
  const connectionIds = connections.map(({ id }) => id)
  const rows = await listFollowerDays(scope.tx, scope.principal.workspaceId, { connectionIds, from, to })
  const byConnection = Map.groupBy(rows, ({ connectionId }) => connectionId)
  return connections.map(({ id, slug, platform, displayName }) => {
    const told = new Map((byConnection.get(id) ?? []).map(({ day, followers }) => [day, followers]))
    const reported = tellsFollowers(scope.ctx, platform)
    const days = reported ? dates.map((date) => ({ date, followers: told.get(date) ?? null })) : []
    return { connectionId: id, connection: slug, platform, targetName: displayName, reported, days, ...changeOver(days) }
  })
}

function changeOver(days: ConnectionFollowers['days']): Pick<ConnectionFollowers, 'first' | 'last' | 'change'> {
  const numbers = days.flatMap(({ followers }) => (followers === null ? [] : [followers]))
  const [first = null, last = null] = [numbers[0], numbers.at(-1)]
  const change = first === null || last === null || numbers.length < 2 ? null : last - first
  return { first, last, change }
}

/** How many accounts one page of an export has, each with all of its days. */
const exportedMax = 20

/** The followers of each account on every day on which its platform was asked. The cursor is the connection before the page. */
export async function exportFollowers(
  scope: RequestScope,
  cursor = '',
): Promise<{ records: readonly object[]; next: string | null }> {
  const connections = (await describeConnections(scope)).toSorted(byId).filter(({ id }) => id > cursor)
  const page = connections.slice(0, exportedMax)
  const connectionIds = page.map(({ id }) => id)
  const rows = await listFollowerDays(scope.tx, scope.principal.workspaceId, { connectionIds, from: '-infinity', to: 'infinity' })
  const byConnection = Map.groupBy(rows, ({ connectionId }) => connectionId)
  const records = page.map(({ id, slug }) => {
    const days = (byConnection.get(id) ?? []).map(({ day, followers }) => ({ date: day, followers }))
    return { connectionId: id, connection: slug, days }
  })
  return { records, next: connections.length > exportedMax ? (connectionIds.at(-1) ?? null) : null }
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
