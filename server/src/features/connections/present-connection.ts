import type { Connection } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { externalFields } from '../../infra/db/external-columns.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { canRenew } from './can-renew.ts'
import { rulesOf } from './capabilities/known-capabilities.ts'
import { type ConnectionActivity, findActivity } from './connection-activity.store.ts'
import { type ConnectionRow, listConnections } from './connection.store.ts'
import { connectorOf } from './connector-of.ts'
import { openCredentials } from './seal-credentials.ts'

/** A connection is `expiring` if its token expires within this time and only the account's owner can renew it. */
export const expiringMs = 7 * 86_400_000

const noActivity: ConnectionActivity = { scheduledChannels: 0, lastPublishedAt: null }

type Presented = { row: ConnectionRow; nowMs: number; activity?: ConnectionActivity | undefined }

export function presentConnection(ctx: Context, { row, nowMs, activity = noActivity }: Presented): Connection {
  const { formats } = rulesOf(connectorOf(ctx, row.platform), row, nowMs)
  return {
    id: row.id,
    slug: row.slug,
    platform: row.platform,
    handle: row.handle,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    ...statusOf(ctx, row, nowMs),
    statusCode: row.status_code,
    instanceUrl: row.instance_url,
    scheduledChannels: activity.scheduledChannels,
    lastPublishedAt: activity.lastPublishedAt?.toISOString() ?? null,
    capabilities: [...formats],
    ...targetsOf(row),
    connectedAt: row.connected_at.toISOString(),
    expiresAt: row.token_expires_at?.toISOString() ?? null,
    ...externalFields(row),
  }
}

function statusOf(ctx: Context, row: ConnectionRow, nowMs: number): Pick<Connection, 'status' | 'statusReason'> {
  const endsAt = row.token_expires_at
  const isExpiring = row.status === 'active' && endsAt !== null && endsAt.getTime() - nowMs < expiringMs && !isRenewable(ctx, row)
  if (!isExpiring) return { status: row.status, statusReason: row.status_reason }
  return { status: 'expiring', statusReason: expiryReason(ctx, row, endsAt) }
}

/** Rows of an earlier version do not tell; then the credentials do. */
export function isRenewable(ctx: Context, row: ConnectionRow): boolean {
  if (row.token_renewable !== null) return row.token_renewable
  const credentials = openCredentials(ctx, { workspaceId: row.workspace_id, id: row.id }, row.credentials_sealed)
  return canRenew(connectorOf(ctx, row.platform), credentials)
}

export function expiryReason(ctx: Context, { platform }: ConnectionRow, endsAt: Date): string {
  const { name } = connectorOf(ctx, platform).manifest
  const day = endsAt.toISOString().slice(0, 10)
  return `The permission ends on ${day} and ${name} lets only you renew it: connect the account again before then.`
}

/** Present only if the sign-in has several accounts or pages. */
function targetsOf({ targets, account_id }: ConnectionRow): Pick<Connection, 'target' | 'targets'> {
  if (targets === null) return {}
  const chosen = targets.find(({ id }) => id === account_id)
  return {
    targets: targets.map(({ id, name, kind }) => ({ id, name, kind })),
    ...(chosen && { target: { id: chosen.id, name: chosen.name } }),
  }
}

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
