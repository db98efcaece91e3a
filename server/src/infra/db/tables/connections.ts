import type { Capabilities } from '@carillon/connectors'
import type { ConnectionStatusCode, ErrorCode, Target } from '@carillon/contract'
import type { ColumnType, Generated } from 'kysely'
import type { ExternalColumns, Instant, Json, MaybeInstant } from './columns.ts'

/** An account or page that a sign-in gives access to, with what its connection shows if it is chosen. */
export type StoredTarget = Target & { handle: string; avatarUrl: string | null }

export type ConnectionTable = ExternalColumns & {
  workspace_id: string
  id: string
  platform: string
  slug: string
  handle: string
  display_name: string
  avatar_url: string | null
  account_id: string
  instance_url: string | null
  status: 'active' | 'expiring' | 'needs_reconnect' | 'disconnected'
  status_reason: string | null
  status_code: ConnectionStatusCode | null
  credentials_sealed: Buffer
  targets: Json<StoredTarget[] | null> | null
  sign_in_id: string | null
  app_user_id: Generated<string | null>
  token_expires_at: MaybeInstant
  token_renewed_at: Instant
  connected_at: Instant
  updated_at: Instant
  disconnected_at: MaybeInstant
  renew_failures: Generated<number>
  renew_after: MaybeInstant
  /** Until then a process is believed to be renewing the token. */
  renewing_until: MaybeInstant
  renew_early_after: MaybeInstant
  token_renewable: boolean | null
  expiry_announced_for: MaybeInstant
  avatar_key: string | null
  avatar_source: string | null
  avatar_at: MaybeInstant
  client_id: Generated<string | null>
  /** Whether that app is one of the workspace. */
  own_app: Generated<boolean>
  capabilities: ColumnType<Capabilities | null, string | null | undefined, string | null>
  capabilities_at: MaybeInstant
  capabilities_asked_at: MaybeInstant
}

export type ConnectFlowTable = {
  workspace_id: string
  state_hash: Buffer
  person_id: string
  by_session: boolean
  platform: string
  instance_url: string | null
  verifier_sealed: Buffer | null
  connection_id: string | null
  return_to: string | null
  expires_at: Instant
  state: Generated<'started' | 'returned' | 'confirm' | 'connected' | 'failed'>
  attempt_id: Generated<string | null>
  browser_hash: Generated<Buffer | null>
  issuer: string | null
  issuer_required: boolean
  scopes_asked: string[]
  scopes_granted: Generated<string[] | null>
  account: ColumnType<ConnectAccount | null, string | undefined, string>
  account_sealed: Generated<Buffer | null>
  failure: ColumnType<ConnectFailure | null, string | undefined, string>
  trace_id: Generated<string | null>
  connected_id: Generated<string | null>
  client_id: string | null
  own_app: Generated<boolean>
  /** The connect link that it was started with. */
  link_id: Generated<string | null>
}

export type ConnectLinkTable = {
  workspace_id: string
  id: string
  token_hash: Buffer
  person_id: string
  api_key_id: string | null
  platforms: string[]
  connection_id: string | null
  is_reconnect: boolean
  external_id: string | null
  metadata: Json<Record<string, string>>
  return_url: string | null
  return_secret_sealed: Buffer | null
  created_at: Instant
  expires_at: Instant
  used_at: MaybeInstant
  revoked_at: MaybeInstant
}

/** The account that a person signed in to, before it is confirmed. */
export type ConnectAccount = { handle: string; displayName: string; avatarUrl: string | null }

/** Why connecting an account failed. */
export type ConnectFailure = {
  code: ErrorCode
  message: string
  platformCode: string | null
  /** Missing in what an earlier version stored. */
  platformMessage?: string | null
}

/** A developer app that a workspace brought itself. */
export type WorkspaceAppTable = {
  workspace_id: string
  platform: string
  client_id: string
  client_secret_sealed: Buffer
  entered_at: Instant
  replaced_at: MaybeInstant
}

/** A developer app that an operator entered. */
export type PlatformAppTable = {
  platform: string
  client_id: string
  client_secret_sealed: Buffer
  is_vetted: boolean
  entered_at: Instant
  replaced_at: MaybeInstant
}

export type InstanceAppTable = {
  platform: string
  instance_url: string
  redirect_url: string
  client_id: string
  client_secret_sealed: Buffer
  proven_at: MaybeInstant
  created_at: Instant
}
