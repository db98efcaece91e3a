import type { analytics, BestTimes, QueryOf } from '@carillon/contract'
import { rateHours } from '@carillon/core'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem } from '../../infra/problem/problem.ts'
import { findConnections } from '../connections/find-connections.ts'
import { checkTimezone } from '../workspaces/create-workspace.ts'
import { findWorkspace } from '../workspaces/workspace.store.ts'
import { listPublishedFigures } from './best-times.store.ts'

const dayMs = 86_400_000
const rangeMs = 180 * dayMs
/** A post receives most of its reactions in its first two days; younger figures would make it look worse than it is. */
const settledMs = 2 * dayMs
/** More than a hundred channels a day. Of more, only the newest are compared. */
const channelsMax = 20_000

/** How the posts of the workspace did at each hour of the week. */
export async function getBestTimes(scope: RequestScope, query: QueryOf<typeof analytics.bestTimes>): Promise<BestTimes> {
  const { tx, nowMs } = scope
  const { workspaceId } = scope.principal
  if (query.timezone !== undefined) checkTimezone(query.timezone)
  const timezone = query.timezone ?? (await findWorkspace(tx, workspaceId))?.timezone ?? 'UTC'
  const published = await listPublishedFigures(tx, {
    workspaceId,
    from: new Date(nowMs - rangeMs),
    before: new Date(nowMs - settledMs),
    connectionId: query.connection === undefined ? null : await findConnectionId(scope, query.connection),
    settledMs,
    limit: channelsMax,
  })
  return { timezone, ...rateHours(published, { timezone, nowMs }) }
}

async function findConnectionId(scope: RequestScope, slug: string): Promise<string> {
  const connection = (await findConnections(scope, [slug])).get(slug)
  if (!connection) throw problem('connection_unknown', { message: `The workspace has no connection "${slug}".` })
  return connection.id
}
