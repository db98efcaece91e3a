import type { PostStatus, PostType } from '@carillon/contract'
import type { Generated } from 'kysely'
import type { ChannelMetricTable, MetricDayTable, MetricPullTable } from './tables/analytics.ts'
import type { Instant } from './tables/columns.ts'
import type { CellTable } from './tables/cell.ts'
import type { ConnectFlowTable, ConnectionTable, InstanceAppTable } from './tables/connections.ts'
import type { InvitationTable, OutgoingMailTable } from './tables/invitations.ts'
import type { MediaTable, MediaUploadTable, PostMediaTable, RenditionTable, StorageRemovalTable } from './tables/media.ts'
import type { PersonTable, SessionTable, SignInTable } from './tables/people.ts'
import type { ChannelTable, PostTable } from './tables/posts.ts'
import type { AuditEntryTable, IdempotencyTable, OutboxEventTable } from './tables/records.ts'
import type { WebhookDeliveryTable, WebhookTable } from './tables/webhooks.ts'
import type { AiUsageMonthTable, ApiKeyTable, MemberTable, UsageMonthTable, WorkspaceTable } from './tables/workspaces.ts'

export type * from './tables/analytics.ts'
export type * from './tables/cell.ts'
export type * from './tables/connections.ts'
export type * from './tables/invitations.ts'
export type * from './tables/media.ts'
export type * from './tables/people.ts'
export type * from './tables/posts.ts'
export type * from './tables/records.ts'
export type * from './tables/webhooks.ts'
export type * from './tables/workspaces.ts'

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
  cell: CellTable
  heartbeat: { worker: string; at: Instant }
  secret_canary: { key_id: string; sealed: Buffer; created_at: Generated<Instant> }
  zone_rules: { id: Generated<number>; edition: string }
}
