import { describeConnections } from '../connections/describe-connections.ts'
import { connectorOf, readsFigures } from '../connections/connector-of.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { listPublishers } from '../posts/reading/finished.store.ts'
import { requestPulls } from './pull.store.ts'

/** Requests fresh figures for every usable connection that has published. A request that is already in progress is not repeated. */
export async function syncMetrics(scope: RequestScope): Promise<{ enqueued: number }> {
  const { ctx, tx, principal, nowMs } = scope
  const publishers = await listPublishers(tx, principal.workspaceId)
  if (publishers.length === 0) return { enqueued: 0 }
  const connections = await describeConnections(scope)
  const usable = new Set(
    connections
      .filter(
        ({ status, platform }) => (status === 'active' || status === 'expiring') && readsFigures(ctx, connectorOf(ctx, platform)),
      )
      .map(({ id }) => id),
  )
  const requested = publishers
    .filter(({ connectionId }) => usable.has(connectionId))
    .map((publisher) => ({ ...publisher, workspaceId: principal.workspaceId }))
  return { enqueued: await requestPulls(tx, requested, new Date(nowMs)) }
}
