import type { Channel, MediaRef, Post } from '@carillon/contract'
import { channelStatus } from '@carillon/core'
import type { PostView, ChannelViewRow } from './post-view.store.ts'

/** A channel that was sent this much after its time is reported as late. */
const lateFromMs = 60_000

/** Maps rows to the API shape. No other code does this for posts. */
export function presentPost({ post, channels }: PostView, medias: MediaRef[]): Post {
  return {
    uploadId: post.id,
    requestId: post.request_id,
    status: post.status,
    type: post.type,
    contentFormat: post.content_format,
    title: post.title,
    text: post.text,
    firstComment: post.first_comment === null ? null : { text: post.first_comment },
    linkUrl: post.link_url,
    medias,
    channels: channels.map(presentChannel),
    platformOptions: post.platform_options,
    scheduledAt: instant(post.scheduled_at),
    timezone: post.timezone,
    publishedAt: instant(post.published_at),
    archived: post.archived_at !== null,
    archivedAt: instant(post.archived_at),
    warnings: post.warnings,
    createdAt: instant(post.created_at),
    updatedAt: instant(post.updated_at),
  }
}

export function presentStatus({ post, channels }: PostView) {
  return {
    requestId: post.request_id,
    uploadId: post.id,
    status: post.status,
    type: post.type,
    channels: channels.map(presentChannel),
    createdAt: instant(post.created_at),
  }
}

/** The data about a post in a webhook event. */
export function presentEventData(found: PostView) {
  return { ...presentStatus(found), scheduledAt: instant(found.post.scheduled_at) }
}

function presentChannel(row: ChannelViewRow): Channel {
  return {
    id: row.id,
    platform: row.platform,
    connectionId: row.connection_id,
    connection: row.connection_slug,
    targetName: row.target_name,
    result: {
      status: channelStatus(row.state),
      postUrl: row.post_url,
      postId: row.platform_post_id,
      publishedAt: instant(row.published_at),
      error: row.error,
      warnings: row.warnings,
      attempts: row.attempts,
      late: row.late_ms !== null && row.late_ms >= lateFromMs ? { delayMs: row.late_ms } : null,
      waiting: presentWaiting(row),
    },
  }
}

/** A wait for a reconnect ends when a person reconnects the account, so it has no time. */
function presentWaiting({ state, waiting_reason: reason, dispatch_at: at }: ChannelViewRow): Channel['result']['waiting'] {
  if (reason === null || channelStatus(state) !== 'pending') return null
  return { reason, until: reason === 'reconnect' ? null : instant(at) }
}

function instant(at: Date | string): string
function instant(at: Date | string | null): string | null
function instant(at: Date | string | null): string | null {
  return at instanceof Date ? at.toISOString() : at
}
