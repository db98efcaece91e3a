import type {
  ApprovalAction,
  ApprovalState,
  CommentAudience,
  ChannelError,
  ConnectionOptions,
  Issue,
  PostStatus,
  PostType,
} from '@carillon/contract'
import type { ChannelState, LinkTags } from '@carillon/core'
import type { Generated, GeneratedAlways } from 'kysely'
import type { ExternalColumns, Instant, Json, MaybeInstant } from './columns.ts'

export type PostTable = ExternalColumns & {
  workspace_id: string
  id: string
  request_id: string
  status: PostStatus
  type: PostType
  content_format: string | null
  title: string | null
  text: string | null
  first_comment: string | null
  /** The further posts of a thread. */
  thread: Json<{ text: string }[] | null> | null
  link_url: string | null
  ai_generated: Generated<boolean>
  platform_options: Json<Record<string, ConnectionOptions>>
  /** What the links get for each account, as it was when the post was checked (decision 166). */
  link_tags: Json<PostLinkTags | null> | null
  scheduled_at: MaybeInstant
  scheduled_wall: string | null
  timezone: string | null
  published_at: MaybeInstant
  archived_at: MaybeInstant
  warnings: Json<string[]>
  pending_medias: Json<PendingMedia[] | null> | null
  pending_error: string | null
  /** Until then a process is believed to be fetching the pending files. */
  fetching_until: MaybeInstant
  /** The post has been counted against the plan. */
  counted: Generated<boolean>
  /** The platforms of its channels, sorted, with commas between them; null if they are not known (decision 38). */
  platforms: string | null
  /** Where the post is on its way to be approved; null if it is not. */
  approval: Exclude<ApprovalState, 'none'> | null
  /** The hash of what was submitted. */
  approval_revision: string | null
  /** How often it was said that the post still waits: 1 near its time, 2 past it. */
  approval_reminders: Generated<number>
  created_at: Instant
  updated_at: Instant
}

/** The parameters for the links of a post, by the slug of the account. */
export type PostLinkTags = { domains: readonly string[]; accounts: Record<string, Omit<LinkTags, 'domains'>> }

/** A decision about a post. */
export type ApprovalEventTable = {
  workspace_id: string
  post_id: string
  id: Generated<string>
  action: ApprovalAction
  person_id: string
  api_key_id: string | null
  at: Instant
  comment: string | null
  revision: string | null
  due_at: MaybeInstant
  /** Set if a person without an account decided: with which link, and how they named themselves. */
  link_id: string | null
  client_name: string | null
}

/** A link with which a person without an account decides about posts. */
export type ApprovalLinkTable = {
  workspace_id: string
  id: string
  token_hash: Buffer
  name: string | null
  email: string | null
  mailed: boolean
  /** A program was given it with its submission. */
  of_submission: boolean
  person_id: string
  api_key_id: string | null
  created_at: Instant
  expires_at: Instant
  revoked_at: MaybeInstant
}

export type ApprovalLinkPostTable = {
  workspace_id: string
  link_id: string
  post_id: string
  revision: string
  position: number
}

/** What a member, or a client with a link, says about a post. */
export type PostCommentTable = {
  workspace_id: string
  post_id: string
  id: string
  person_id: string | null
  api_key_id: string | null
  link_id: string | null
  client_name: string | null
  audience: CommentAudience
  text: string
  mentions: string[]
  created_at: Instant
  edited_at: MaybeInstant
}

/** A file of a post: the id of a media item, or an address that is still to be fetched. */
export type PendingMedia = { connection: string; entry: string; alt: string | null }

/** Why a channel that is due has not been sent yet. */
export type WaitingReason = 'rate_limit' | 'reconnect' | 'platform_unavailable'

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
  recover_at: MaybeInstant
  needs_stage: boolean
  staged: Json<Record<string, unknown> | null> | null
  prepared: Generated<boolean>
  handle_at: Generated<Date>
  not_before: MaybeInstant
  staged_at: MaybeInstant
  waiting_reason: WaitingReason | null
  media_count: number | null
  /** The trace of the request that created the channel (W3C Trace Context). */
  traceparent: string | null
  armed_at: MaybeInstant
  submitted_at: MaybeInstant
  /** The transaction that set the guard last. */
  armed_by: string | null
  reference: string | null
  /** Set while it waits in the app of the platform for a person who finishes it. */
  finish_by: MaybeInstant
  attempts: Generated<number>
  tries: Generated<number>
  /** Attempts that the platform refused for a reason which may pass. */
  refusals: Generated<number>
  renew_token: Generated<boolean>
  post_url: string | null
  platform_post_id: string | null
  published_at: MaybeInstant
  finished_at: MaybeInstant
  late_ms: number | null
  error: Json<ChannelError | null> | null
  warnings: Json<string[]>
  issues: Json<Issue[] | null> | null
  /** How many parts it has: its post, the further posts of a thread, and a first comment. */
  parts: Generated<number>
  /** How many further posts of a thread it has. */
  thread_parts: Generated<number>
  wake_at: GeneratedAlways<Date | null>
  outcome: GeneratedAlways<'published' | 'failed' | 'unconfirmed' | null>
}

/** A failed attempt, a retry or a decision of a person. */
export type ChannelEventTable = {
  workspace_id: string
  post_id: string
  id: Generated<string>
  channel_id: string
  at: Instant
  stage: 'queued' | 'failed' | 'unconfirmed' | 'resolved'
  attempt: number
  code: string | null
  platform_code: string | null
  message: string | null
  reason: Generated<string | null>
  platform_message: Generated<string | null>
  retry_at: MaybeInstant
}

/**
 * What one call publishes. The first part of a channel is its post; the table's first parts are the channels. A part exists once the one before
 * it is published.
 */
export type PartTable = ChannelTable & {
  number: Generated<number>
  /** The channel whose part it is; null for the first part, which has the channel's own id. */
  channel_id: string | null
  /** The platform's id of the part before it. */
  reply_to: string | null
}

/** A post or first comment on a platform that is known to be that of a part. */
export type PlatformPostTable = {
  platform: string
  instance_url: string
  account_id: string
  platform_post_id: string
  workspace_id: string
  channel_id: string
  claimed_at: Generated<Instant>
}
