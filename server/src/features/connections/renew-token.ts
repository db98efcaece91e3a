import { PlatformError } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { findConnection, updateConnection } from './connection.store.ts'
import { requestReconnect } from './request-reconnect.ts'
import { connectorOf, openHttp } from './open-client.ts'
import { openCredentials, sealCredentials } from './seal-credentials.ts'
import type { ConnectionKey } from './jobs.ts'

/**
 * Renews the token, unless another run did so after `seenAtMs`. If the platform is unavailable, the connection stays as it is: only a clear
 * refusal means that the user must connect again.
 */
export async function renewToken(ctx: Context, key: ConnectionKey, seenAtMs: number): Promise<void> {
  const row = await findConnection(ctx.db.system, key.workspaceId, key.id)
  if (!row || row.status === 'needs_reconnect' || row.status === 'disconnected') return
  if (row.token_renewed_at.getTime() > seenAtMs) return
  const connector = connectorOf(ctx, row.platform)
  const { renew } = connector.auth
  if (!renew) return requestReconnect(ctx, key, 'The platform no longer accepts our permission, and it cannot be renewed.')

  const credentials = openCredentials(ctx, key, row.credentials_sealed)
  try {
    const http = openHttp(ctx, connector, { instanceUrl: row.instance_url, credentials })
    const next = await renew({ http, credentials, app: ctx.config.apps[row.platform] ?? null, nowMs: ctx.nowMs() })
    if (!next.accessToken) throw new Error('the platform answered without a token')
    await updateConnection(ctx.db.system, key, {
      credentials_sealed: sealCredentials(ctx, key, next),
      token_expires_at: next.expiresAtMs ? new Date(next.expiresAtMs) : null,
      token_renewed_at: new Date(ctx.nowMs()),
      status: 'active',
      status_reason: null,
      updated_at: new Date(ctx.nowMs()),
    })
  } catch (error) {
    const isRefused =
      error instanceof PlatformError && (error.kind === 'auth' || error.kind === 'gone' || error.kind === 'rejected')
    if (isRefused) await requestReconnect(ctx, key, error.message)
    else ctx.log.warn({ err: error, connection: row.slug }, 'the token could not be renewed; the next send tries again')
  }
}
