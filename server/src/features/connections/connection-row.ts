import type { Credentials } from '@carillon/connectors'
import type { Platform } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { StoredTarget } from '../../infra/db/tables.ts'
import { canRenew } from './can-renew.ts'
import { connectorOf } from './connector-of.ts'
import { sealCredentials } from './seal-credentials.ts'

export type NewConnection = {
  platform: Platform
  handle: string
  accountId: string
  /** The id by which the platform names the account's owner to our app, if it is another one. */
  appUserId?: string | undefined
  displayName?: string
  avatarUrl?: string | null
  instanceUrl?: string | null
  credentials: Credentials
  /** The accounts or pages of the sign-in, if there are several. It publishes to its own account until a user chooses another one. */
  targets?: StoredTarget[] | null
}

type RowInput = { workspaceId: string; id: string; slug: string; nowMs: number; account: NewConnection }

/** The row of a new connection. */
export function connectionRow(ctx: Context, { workspaceId, id, slug, nowMs, account }: RowInput) {
  const at = new Date(nowMs)
  const { credentials, targets } = account
  return {
    workspace_id: workspaceId,
    id,
    platform: account.platform,
    slug,
    handle: account.handle,
    display_name: account.displayName ?? account.handle,
    avatar_url: account.avatarUrl ?? null,
    account_id: account.accountId,
    app_user_id: account.appUserId ?? null,
    instance_url: account.instanceUrl ?? null,
    status: 'active' as const,
    status_reason: null,
    credentials_sealed: sealCredentials(ctx, { workspaceId, id }, credentials),
    token_expires_at: credentials.expiresAtMs ? new Date(credentials.expiresAtMs) : null,
    token_renewed_at: at,
    token_renewable: canRenew(connectorOf(ctx, account.platform), credentials),
    connected_at: at,
    updated_at: at,
    sign_in_id: account.accountId,
    targets: targets ? JSON.stringify(targets) : null,
  }
}
