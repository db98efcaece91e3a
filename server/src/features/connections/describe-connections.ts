import type { Connection } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { findActivity } from './connection-activity.store.ts'
import { listConnections, type ConnectionRow } from './connection.store.ts'
import { presentConnection, statusOf } from './present-connection.ts'

type Scope = Pick<RequestScope, 'ctx' | 'tx' | 'nowMs'>

/** All connections, or the one that has this id in the client's own system. */
export async function describeConnections(scope: RequestScope, externalId?: string): Promise<Connection[]> {
  const { workspaceId } = scope.principal
  return describeRows(scope, workspaceId, await listConnections(scope.tx, workspaceId, externalId))
}

/** For counting: what connections are used for takes longer to find than everything else about them. */
export async function listConnectionStatuses({ ctx, tx, nowMs, principal }: RequestScope): Promise<Connection['status'][]> {
  const rows = await listConnections(tx, principal.workspaceId)
  return rows.map((row) => statusOf(ctx, row, nowMs).status)
}

export async function describeConnection(scope: Scope, row: ConnectionRow): Promise<Connection> {
  const [connection] = await describeRows(scope, row.workspace_id, [row])
  if (!connection) throw new Error('describeRows returned no connection')
  return connection
}

/** Connections in the API shape, with what they are used for. */
async function describeRows(
  { ctx, tx, nowMs }: Scope,
  workspaceId: string,
  rows: readonly ConnectionRow[],
): Promise<Connection[]> {
  const activities = await findActivity(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => presentConnection(ctx, { row, nowMs, activity: activities.get(row.id) }))
}
