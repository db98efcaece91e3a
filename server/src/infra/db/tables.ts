import type { PostStatus, PostType } from '@carillon/contract'
import type { Generated } from 'kysely'
import type {
  ChannelMetricTable,
  FollowerDayTable,
  MetricDayTable,
  MetricHistoryTable,
  MetricPullTable,
} from './tables/analytics.ts'
import type { AccountEntryTable, AuditEntryTable, AuditLinkTable, AuditMarkTable } from './tables/audit.ts'
import type { Instant, MaybeInstant } from './tables/columns.ts'
import type { ClientReportTable } from './tables/reports.ts'
import type { CellTable, WorkspaceMoveTable } from './tables/cell.ts'
import type {
  ConnectFlowTable,
  ConnectLinkTable,
  ConnectionTable,
  InstanceAppTable,
  PlatformAppTable,
  WorkspaceAppTable,
} from './tables/connections.ts'
import type { CalendarFeedTable, ImportedPostTable, ImportRowTable, PostImportTable } from './tables/imports.ts'
import type { LabelTable, NoteTable, PostLabelTable } from './tables/labels.ts'
import type { InvitationTable, OutgoingMailTable } from './tables/invitations.ts'
import type { NoticeItemTable, NoticePersonTable, NoticeSettingTable, NoticeTable } from './tables/notices.ts'
import type {
  MediaFolderTable,
  MediaTable,
  MediaUploadTable,
  PostMediaTable,
  RenditionTable,
  StorageRemovalTable,
  UploadTicketTable,
} from './tables/media.ts'
import type { OauthClientTable, OauthCodeTable, OauthDeviceTable, OauthGrantTable, OauthTokenTable } from './tables/oauth.ts'
import type { AccountTable, PersonTable, SessionTable, SignInTable, VerificationTable } from './tables/people.ts'
import type {
  ApprovalEventTable,
  ApprovalLinkPostTable,
  ApprovalLinkTable,
  ChannelEventTable,
  ChannelTable,
  PartTable,
  PlatformPostTable,
  PostCommentTable,
  PostTable,
} from './tables/posts.ts'
import type { QueuePlaceTable, QueueTable } from './tables/queues.ts'
import type { EventLogTable, IdempotencyTable, LiveEventTable, OutboxEventTable } from './tables/records.ts'
import type { SeriesDateTable, SeriesTable } from './tables/series.ts'
import type { AccountWebhookTable, WebhookDeliveryTable, WebhookTable } from './tables/webhooks.ts'
import type { AiUsageMonthTable, ApiKeyTable, MemberTable, UsageMonthTable, WorkspaceTable } from './tables/workspaces.ts'

export type * from './tables/analytics.ts'
export type * from './tables/audit.ts'
export type * from './tables/cell.ts'
export type * from './tables/connections.ts'
export type * from './tables/imports.ts'
export type * from './tables/invitations.ts'
export type * from './tables/labels.ts'
export type * from './tables/media.ts'
export type * from './tables/notices.ts'
export type * from './tables/oauth.ts'
export type * from './tables/people.ts'
export type * from './tables/posts.ts'
export type * from './tables/queues.ts'
export type * from './tables/records.ts'
export type * from './tables/reports.ts'
export type * from './tables/series.ts'
export type * from './tables/webhooks.ts'
export type * from './tables/workspaces.ts'

export type Tables = {
  person: PersonTable
  session: SessionTable
  account: AccountTable
  two_factor: SignInTable
  passkey: SignInTable
  verification: VerificationTable
  attempt_window: { key: Buffer; attempts: number; ends_at: Instant }
  quota_window: { key: Buffer; used: number; ends_at: Instant }
  workspace: WorkspaceTable
  member: MemberTable
  api_key: ApiKeyTable
  invitation: InvitationTable
  outgoing_mail: OutgoingMailTable
  connection: ConnectionTable
  connect_flow: ConnectFlowTable
  instance_app: InstanceAppTable
  connect_link: ConnectLinkTable
  platform_app: PlatformAppTable
  workspace_app: WorkspaceAppTable
  data_deletion: {
    code: string
    platform: string
    requested_at: Instant
    completed_at: MaybeInstant
    accounts: Generated<number>
  }
  post: PostTable
  part: PartTable
  /** A view of the first parts. */
  channel: ChannelTable
  channel_event: ChannelEventTable
  approval_event: ApprovalEventTable
  approval_link: ApprovalLinkTable
  approval_link_post: ApprovalLinkPostTable
  post_comment: PostCommentTable
  platform_post: PlatformPostTable
  queue: QueueTable
  queue_place: QueuePlaceTable
  series: SeriesTable
  series_date: SeriesDateTable
  label: LabelTable
  post_label: PostLabelTable
  note: NoteTable
  client_report: ClientReportTable
  notice: NoticeTable
  notice_item: NoticeItemTable
  notice_person: NoticePersonTable
  notice_setting: NoticeSettingTable
  notice_position: { one: boolean; event_id: string }
  post_import: PostImportTable
  import_row: ImportRowTable
  calendar_feed: CalendarFeedTable
  imported_post: ImportedPostTable
  oauth_client: OauthClientTable
  oauth_grant: OauthGrantTable
  oauth_code: OauthCodeTable
  oauth_token: OauthTokenTable
  oauth_device: OauthDeviceTable
  rate_window: { key: string; window_ms: string; started_at: Instant; used: number }
  request_window: { key: string; started_at: Instant; used: number; granted: number }
  usage_month: UsageMonthTable
  post_tally: {
    workspace_id: string
    id: Generated<string>
    status: PostStatus
    type: PostType
    archived: boolean
    platforms: string | null
    posts: string
  }
  post_search: { workspace_id: string; post_id: string; words: string }
  post_unsearched: { workspace_id: string; post_id: string }
  ai_usage_month: AiUsageMonthTable
  idempotency: IdempotencyTable
  audit_entry: AuditEntryTable
  account_entry: AccountEntryTable
  audit_link: AuditLinkTable
  audit_head: AuditMarkTable
  audit_start: AuditMarkTable
  audit_pending: { chain: string; entry_id: string }
  erased_workspace: { id: string; at: Instant }
  outbox_event: OutboxEventTable
  live_event: LiveEventTable
  event_log: EventLogTable
  webhook: WebhookTable
  account_webhook: AccountWebhookTable
  media: MediaTable
  media_folder: MediaFolderTable
  upload_ticket: UploadTicketTable
  post_media: PostMediaTable
  media_upload: MediaUploadTable
  rendition: RenditionTable
  storage_removal: StorageRemovalTable
  storage_use: { workspace_id: string; bytes: string }
  webhook_delivery: WebhookDeliveryTable
  channel_metric: ChannelMetricTable
  metric_day: MetricDayTable
  metric_history: MetricHistoryTable
  metric_pull: MetricPullTable
  follower_day: FollowerDayTable
  cell: CellTable
  workspace_move: WorkspaceMoveTable
  migration: { name: string; applied_at: Generated<Instant> }
  heartbeat: { worker: string; at: Instant }
  secret_canary: { key_id: string; sealed: Buffer; created_at: Generated<Instant> }
  zone_rules: { id: Generated<number>; edition: string }
}
