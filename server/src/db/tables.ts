import type {
  ChannelError,
  ConnectionOptions,
  EventName,
  Invitation,
  MediaType,
  Metric,
  Plan,
  PostStatus,
  PostType,
  Role,
  Target,
} from '@carillon/contract'
import type { ChannelState } from '@carillon/core'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type Instant = ColumnType<Date, Date | string, Date | string>
type MaybeInstant = ColumnType<Date | null, Date | string | null, Date | string | null>

export type PersonTable = {
  id: string
  email: string
  name: string
  email_verified: Generated<boolean>
  two_factor_enabled: Generated<boolean>
  image: string | null
  created_at: Instant
  updated_at: Generated<Instant>
}

export type SessionTable = { id: string; person_id: string; token: string; expires_at: Instant }

/** What we touch ourselves of the tables that better-auth keeps. */
type SignInTable = { person_id: string }

export type WorkspaceTable = {
  id: string
  name: string
  slug: string
  plan: Plan
  timezone: string
  hold_if_late_minutes: number | null
  created_at: Instant
  updated_at: Instant
}

export type MemberTable = { workspace_id: string; person_id: string; role: Role; joined_at: Instant }

export type ApiKeyTable = {
  workspace_id: string
  id: string
  person_id: string
  label: string
  prefix: string
  hash: Buffer
  scopes: string[] | null
  workspace_only: boolean
  expires_at: MaybeInstant
  created_at: Instant
}

/** An account or page that a sign-in reaches, with what its connection shows when it is the chosen one. */
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
}

export type InvitationTable = {
  workspace_id: string
  id: string
  email: string
  role: Role
  token_hash: Buffer
  invited_by: string
  mail: Invitation['mail']
  expires_at: Instant
  accepted_at: MaybeInstant
  created_at: Instant
}

export type OutgoingMailTable = {
  id: string
  workspace_id: string | null
  invitation_id: string | null
  letter_sealed: Buffer
  attempts: number
  due_at: Instant
  ends_at: Instant
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

export type PostTable = {
  workspace_id: string
  id: string
  request_id: string
  status: PostStatus
  type: PostType
  content_format: string | null
  title: string | null
  text: string | null
  first_comment: string | null
  link_url: string | null
  platform_options: Json<Record<string, ConnectionOptions>>
  scheduled_at: MaybeInstant
  scheduled_wall: string | null
  timezone: string | null
  published_at: MaybeInstant
  archived_at: MaybeInstant
  warnings: Json<string[]>
  pending_medias: Json<PendingMedia[] | null> | null
  pending_error: string | null
  created_at: Instant
  updated_at: Instant
}

/** A file a post will show: an id of the library, or an address still to be fetched. */
export type PendingMedia = { connection: string; entry: string; alt: string | null }

export type ChannelTable = {
  workspace_id: string
  id: string
  post_id: string
  position: number
  connection_id: string
  connection_slug: string
  target_name: string
  platform: string
  state: ChannelState
  due_at: MaybeInstant
  dispatch_at: MaybeInstant
  generation: Generated<number>
  look_again_at: MaybeInstant
  needs_stage: boolean
  staged: Json<Record<string, unknown> | null> | null
  prepared: Generated<boolean>
  armed_at: MaybeInstant
  submitted_at: MaybeInstant
  reference: string | null
  attempts: Generated<number>
  tries: Generated<number>
  renew_token: Generated<boolean>
  post_url: string | null
  platform_post_id: string | null
  published_at: MaybeInstant
  finished_at: MaybeInstant
  late_ms: number | null
  error: Json<ChannelError | null> | null
  warnings: Json<string[]>
  comment_state: Generated<'none' | 'waiting' | 'submitting' | 'done'>
  wake_at: GeneratedAlways<Date | null>
  outcome: GeneratedAlways<'published' | 'failed' | 'unconfirmed' | null>
}

export type UsageMonthTable = { workspace_id: string; month: string; shard: number; posts: number }

/** `tokens` is a bigint, which pg reads as text. */
export type AiUsageMonthTable = { workspace_id: string; month: string; tokens: string }

export type IdempotencyTable = {
  workspace_id: string
  route: string
  key: string
  request_hash: Buffer
  status: number
  body_sealed: Buffer
  created_at: Instant
}

export type AuditEntryTable = {
  workspace_id: string
  id: string
  at: Instant
  person_id: string | null
  api_key_id: string | null
  action: string
  subject_id: string | null
  trace_id: string
}

export type OutboxEventTable = {
  id: Generated<string>
  workspace_id: string
  event: EventName
  post_id: string | null
  channel_id: string | null
  connection_id: string | null
  at: Instant
}

export type WebhookTable = {
  workspace_id: string
  id: string
  url: string
  events: EventName[]
  secret_sealed: Buffer
  secret_hint: string
  previous_secret_sealed: Buffer | null
  previous_secret_until: MaybeInstant
  active: boolean
  disabled_reason: string | null
  created_at: Instant
  updated_at: Instant
}

export type WebhookDeliveryTable = {
  workspace_id: string
  webhook_id: string
  id: string
  event: EventName
  url: string
  body: string
  status: 'pending' | 'delivered' | 'failed'
  status_code: number
  attempts: number
  tries: number
  response_body: string
  delivered_at: MaybeInstant
  next_attempt_at: MaybeInstant
  generation: Generated<number>
  claimed_at: MaybeInstant
  created_at: Instant
}

export type MediaTable = {
  workspace_id: string
  id: string
  name: string
  type: MediaType
  mime_type: string
  /** A bigint, which pg gives as text. */
  size_bytes: ColumnType<string, number, number>
  sha256: Buffer
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  traits: Json<MediaTraits>
  storage_key: string
  thumbnail_key: string | null
  tags: Generated<string[]>
  alt: Generated<string>
  description: Generated<string>
  created_at: Instant
  updated_at: Instant
}

/** What preparing a file for a platform needs to know besides its measures. */
export type MediaTraits = {
  /** Frames of a moving picture. */
  frames?: number
  hasAlpha?: boolean
  /** It says more of itself than it shows: where and with what it was made. */
  hasMetadata?: boolean
  videoCodec?: string
  pixelFormat?: string
  audioCodec?: string | null
}

export type PostMediaTable = {
  workspace_id: string
  post_id: string
  connection_slug: Generated<string>
  position: number
  media_id: string
  alt: string | null
}

export type MediaUploadTable = {
  workspace_id: string
  id: string
  name: string
  size_bytes: ColumnType<string, number, number>
  part_size_bytes: number
  storage_key: string
  store_upload_id: string
  expires_at: Instant
  created_at: Instant
}

export type RenditionTable = {
  workspace_id: string
  media_id: string
  rules_hash: string
  storage_key: string
  mime_type: string
  size_bytes: ColumnType<string, number, number>
  width: number | null
  height: number | null
  duration_seconds: number | null
  changes: Json<string[]>
  created_at: Instant
}

export type StorageRemovalTable = { workspace_id: string; key: string; due_at: Instant }

/** Figures are bigints, which pg reads as text. */
type FigureColumns = Record<Metric, string | null>

export type ChannelMetricTable = FigureColumns & {
  workspace_id: string
  channel_id: string
  platform: string
  published_at: Instant
  asked_at: Instant
  collected_at: MaybeInstant
}

export type MetricDayTable = FigureColumns & { workspace_id: string; channel_id: string; day: ColumnType<string, string, string> }

export type MetricPullTable = {
  workspace_id: string
  connection_id: string
  platform: string
  due_at: MaybeInstant
  handed_at: MaybeInstant
  held_until: MaybeInstant
  wanted_at: MaybeInstant
  failures: Generated<number>
  generation: Generated<number>
}

export type Tables = {
  person: PersonTable
  session: SessionTable
  account: SignInTable & { provider_id: string }
  two_factor: SignInTable
  passkey: SignInTable
  verification: { expires_at: Instant }
  attempt_window: { key: Buffer; attempts: number; ends_at: Instant }
  workspace: WorkspaceTable
  member: MemberTable
  api_key: ApiKeyTable
  invitation: InvitationTable
  outgoing_mail: OutgoingMailTable
  connection: ConnectionTable
  connect_flow: ConnectFlowTable
  instance_app: InstanceAppTable
  post: PostTable
  channel: ChannelTable
  rate_window: { key: string; window_ms: string; started_at: Instant; used: number }
  usage_month: UsageMonthTable
  post_tally: {
    workspace_id: string
    id: Generated<string>
    status: PostStatus
    type: PostType
    archived: boolean
    posts: string
  }
  ai_usage_month: AiUsageMonthTable
  idempotency: IdempotencyTable
  audit_entry: AuditEntryTable
  outbox_event: OutboxEventTable
  webhook: WebhookTable
  media: MediaTable
  post_media: PostMediaTable
  media_upload: MediaUploadTable
  rendition: RenditionTable
  storage_removal: StorageRemovalTable
  webhook_delivery: WebhookDeliveryTable
  channel_metric: ChannelMetricTable
  metric_day: MetricDayTable
  metric_pull: MetricPullTable
  heartbeat: { worker: string; at: Instant }
  zone_rules: { id: Generated<number>; edition: string }
}
