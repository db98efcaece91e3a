import type { Target } from '@carillon/contract'
import type { Generated } from 'kysely'
import type { Instant, Json, MaybeInstant } from './columns.ts'

/** An account or page that a sign-in gives access to, with what its connection shows if it is chosen. */
export type StoredTarget = Target & { handle: string; avatarUrl: string | null }

export type ConnectionTable = {
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
  credentials_sealed: Buffer
  targets: Json<StoredTarget[] | null> | null
  sign_in_id: string | null
  token_expires_at: MaybeInstant
  token_renewed_at: Instant
  connected_at: Instant
  updated_at: Instant
  disconnected_at: MaybeInstant
  renew_failures: Generated<number>
  renew_after: MaybeInstant
  renew_early_after: MaybeInstant
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
