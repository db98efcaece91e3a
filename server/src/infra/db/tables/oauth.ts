import type { Instant, MaybeInstant } from './columns.ts'

export type OauthClientTable = {
  id: string
  source: 'registered' | 'document' | 'built_in'
  name: string
  redirect_uris: string[]
  fingerprint: Buffer | null
  created_at: Instant
  fetched_at: MaybeInstant
  used_at: MaybeInstant
}

export type OauthGrantTable = {
  workspace_id: string
  id: string
  person_id: string
  client_id: string
  client_name: string
  client_host: string | null
  resource: string
  scopes: string[]
  created_at: Instant
  last_used_at: MaybeInstant
  ended_at: MaybeInstant
}

export type OauthCodeTable = {
  hash: Buffer
  workspace_id: string
  grant_id: string
  person_id: string
  redirect_uri: string | null
  challenge: string | null
  expires_at: Instant
  used_at: MaybeInstant
}

export type OauthTokenTable = {
  hash: Buffer
  kind: 'access' | 'refresh'
  workspace_id: string
  grant_id: string
  person_id: string
  expires_at: Instant
  replaced_at: MaybeInstant
}

export type OauthDeviceTable = {
  hash: Buffer
  user_code_hash: Buffer
  client_id: string
  resource: string
  scopes: string[]
  created_at: Instant
  expires_at: Instant
  polled_at: MaybeInstant
  denied_at: MaybeInstant
}
