import type { Connection } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { ConnectionRow } from './connection.store.ts'
import { canRenew } from './can-renew.ts'
import { connectorOf } from './open-client.ts'
import { openCredentials } from './seal-credentials.ts'

/** A connection is `expiring` if its token expires within this time and only the account's owner can renew it. */
const expiringMs = 7 * 86_400_000

export function presentConnection(ctx: Context, row: ConnectionRow, nowMs: number): Connection {
  const { manifest } = connectorOf(ctx, row.platform)
  return {
    id: row.id,
    slug: row.slug,
    platform: row.platform,
    handle: row.handle,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    status: row.status === 'active' && isExpiring(ctx, row, nowMs) ? 'expiring' : row.status,
    statusReason: row.status_reason,
    capabilities: [...manifest.formats],
    ...targetsOf(row),
    connectedAt: row.connected_at.toISOString(),
    expiresAt: row.token_expires_at?.toISOString() ?? null,
  }
}

function isExpiring(ctx: Context, row: ConnectionRow, nowMs: number): boolean {
  if (row.token_expires_at === null || row.token_expires_at.getTime() - nowMs >= expiringMs) return false
  const credentials = openCredentials(ctx, { workspaceId: row.workspace_id, id: row.id }, row.credentials_sealed)
  return !canRenew(connectorOf(ctx, row.platform), credentials)
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
