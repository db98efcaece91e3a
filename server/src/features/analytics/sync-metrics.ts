import { describeConnections } from '../connections/describe-connections.ts'
import { connectorOf } from '../connections/open-client.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { listPublishers } from '../posts/reading/finished.store.ts'
import { wantPulls } from './pull.store.ts'

/** Asks for fresh figures of every connection that has published and can be asked. One that is under way is not started twice. */
export async function syncMetrics(scope: RequestScope): Promise<{ enqueued: number }> {
  const { ctx, tx, principal, nowMs } = scope
  const publishers = await listPublishers(tx, principal.workspaceId)
  if (publishers.length === 0) return { enqueued: 0 }
  const connections = await describeConnections(scope)
  const usable = new Set(
    connections
      .filter(({ status, platform }) => (status === 'active' || status === 'expiring') && connectorOf(ctx, platform).metrics)
      .map(({ id }) => id),
  )
  const wanted = publishers
    .filter(({ connectionId }) => usable.has(connectionId))
    .map((publisher) => ({ ...publisher, workspaceId: principal.workspaceId }))
  return { enqueued: await wantPulls(tx, wanted, new Date(nowMs)) }
}
