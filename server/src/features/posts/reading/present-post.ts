import type { Approval, Channel, EventName, Issue, MediaRef, Post, PostStatus, ThreadPart } from '@carillon/contract'
import { channelStatus, isFinal } from '@carillon/core'
import { externalFields } from '../../../infra/db/external-columns.ts'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { describeFiles } from '../../media/attached-media.ts'
import { linksOfChannel } from '../link-tags.ts'
import { listMissingParts } from '../list-missing-parts.ts'
import { fieldsFromRow } from '../post-fields.ts'
import type { ChannelViewRow, FurtherPart, PostView, PostViewRow } from './post-view.store.ts'

/** A channel that was sent this much after its time is reported as late. */
const lateFromMs = 60_000

/** Maps rows to the API shape. No other code does this for posts. */
export function presentPost({ post, channels }: PostView, medias: MediaRef[]): Post {
  const missing = missingParts({ post, channels }, medias)
  const fields = fieldsFromRow(post)
  return {
    uploadId: post.id,
    requestId: post.request_id,
    status: post.status,
    type: post.type,
    contentFormat: post.content_format,
    title: post.title,
    text: post.text,
    firstComment: post.first_comment === null ? null : { text: post.first_comment },
    ...(post.thread && { thread: post.thread }),
    linkUrl: post.link_url,
    ...(post.ai_generated && { aiGenerated: true as const }),
    medias,
    channels: channels.map((row) => ({ ...presentChannel(row), ...linksOfChannel(fields, row.connection_slug) })),
    platformOptions: post.platform_options,
    scheduledAt: instant(post.scheduled_at),
    timezone: post.timezone,
    publishedAt: instant(post.published_at),
    archived: post.archived_at !== null,
    archivedAt: instant(post.archived_at),
    warnings: [...post.warnings, ...missing.map(({ message }) => message)],
    issues: post.status === 'draft' ? [...missing, ...channels.flatMap(({ issues }) => issues ?? [])] : [],
    ...(post.approval && { approval: presentApproval(post) }),
    createdAt: instant(post.created_at),
    updatedAt: instant(post.updated_at),
    ...(post.labels && { labels: post.labels }),
    ...(post.series && { seriesId: post.series.id, occurrence: post.series.date }),
    ...externalFields(post),
  }
}

/** What a draft lacks is not stored: it follows from the draft. */
function missingParts({ post, channels }: PostView, medias: readonly MediaRef[]): Issue[] {
  if (post.status !== 'draft') return []
  const slugs = channels.filter(({ state }) => state !== 'canceled').map(({ connection_slug }) => connection_slug)
  return listMissingParts(fieldsFromRow(post), slugs, medias.length > 0).map((found) => ({ ...found, blocking: true }))
}

/** A post that became a draft again because it was late needs another approval. */
function presentApproval({ status, approval, approval_revision: revision }: PostView['post']): Approval {
  return status === 'draft' && approval === 'approved'
    ? { state: 'none', revision: null }
    : { state: approval ?? 'none', revision }
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

type EventView = Omit<PostView, 'channels'> & { channels: readonly (ChannelViewRow & { finished_at: Date | null })[] }

/** The status that a post got by an event. */
const statusByEvent: Partial<Record<EventName, PostStatus>> = {
  'content.submitted': 'draft',
  'content.changes_requested': 'draft',
  'content.withdrawn': 'draft',
  'content.approval_overdue': 'draft',
  'upload.scheduled': 'scheduled',
  'upload.publishing': 'publishing',
  'upload.completed': 'completed',
  'upload.partial_failure': 'partial_failure',
  'upload.failed': 'failed',
}

/**
 * The data about a post in a webhook event. It is loaded a moment after the event, when the post may have changed again. So that a receiver
 * is not told of a result before its own event, the status is that of the event, and channels that finished later are shown as under way.
 */
export function presentEventData(found: EventView, { event, atMs }: { event: EventName; atMs: number }) {
  const { status: current, ...data } = presentStatus(found)
  const status = statusByEvent[event] ?? current
  const isBeforeResults = status === 'draft' || status === 'scheduled' || status === 'publishing'
  const channels = found.channels.map((row): Channel => {
    const channel = presentChannel(row)
    const isLater = statusByEvent[event] !== undefined && row.finished_at !== null && row.finished_at.getTime() >= atMs
    if (!isBeforeResults || !isLater) return channel
    const noResult = { postUrl: null, postId: null, publishedAt: null, error: null, late: null, waiting: null }
    const { parts, ...result } = channel.result
    const hidden = { ...result, ...noResult, status: status === 'publishing' ? ('publishing' as const) : ('pending' as const) }
    return { ...channel, result: { ...hidden, ...(parts && { parts: parts.map(() => unsentPart) }) } }
  })
  const { labels } = found.post
  const scheduledAt = instant(found.post.scheduled_at)
  return { ...data, status, channels, scheduledAt, ...(labels && { labels }), ...externalFields(found.post) }
}

function presentChannel(row: ChannelViewRow): Channel {
  // A part exists once the one before it is published, so the last one tells how far the thread is.
  const thread = [row, ...row.further.filter(({ number }) => number <= row.thread_parts)]
  const last = thread.at(-1) ?? row
  const goesOn = last.state === 'published' && thread.length <= row.thread_parts
  const isUnderWay = goesOn || (thread.length > 1 && channelStatus(last.state) === 'pending')
  return {
    id: row.id,
    platform: row.platform,
    connectionId: row.connection_id,
    connection: row.connection_slug,
    targetName: row.target_name,
    result: {
      status: isUnderWay ? 'publishing' : channelStatus(last.state),
      postUrl: row.post_url,
      postId: row.platform_post_id,
      publishedAt: instant(row.published_at),
      error: last.error,
      warnings: [...new Set(thread.flatMap(({ warnings }) => warnings))],
      attempts: row.attempts,
      late: row.late_ms !== null && row.late_ms >= lateFromMs ? { delayMs: row.late_ms } : null,
      waiting: presentWaiting(last),
      ...(row.parts > row.thread_parts + 1 && { comment: presentComment(row, last) }),
      ...(row.thread_parts > 0 && { parts: presentThread(row.thread_parts + 1, thread) }),
    },
  }
}

const unsentPart: ThreadPart = { status: 'pending', postUrl: null, postId: null, publishedAt: null, error: null }

function presentThread(count: number, sent: readonly Omit<FurtherPart, 'number'>[]): ThreadPart[] {
  return Array.from({ length: count }, (_, index) => {
    const part = sent[index]
    if (!part) return unsentPart
    return {
      status: channelStatus(part.state),
      postUrl: part.post_url,
      postId: part.platform_post_id,
      publishedAt: instant(part.published_at),
      error: part.error,
    }
  })
}

/** A comment exists once what it follows is published. If it does not exist then, nothing can be answered to that post. */
function presentComment(row: ChannelViewRow, last: Pick<FurtherPart, 'state'>): 'waiting' | 'posted' | 'failed' {
  const comment = row.further.find(({ number }) => number > row.thread_parts)
  if (!comment) return last.state === 'published' ? 'failed' : 'waiting'
  if (comment.state === 'published') return 'posted'
  return isFinal(comment.state) ? 'failed' : 'waiting'
}

/** A wait for a reconnect ends when a person reconnects the account, so it has no time. A post in the app of its platform is sent, and waits there. */
function presentWaiting({
  state,
  waiting_reason: reason,
  dispatch_at: at,
  finish_by: finishBy,
}: Pick<FurtherPart, 'state' | 'waiting_reason' | 'dispatch_at' | 'finish_by'>): Channel['result']['waiting'] {
  if (finishBy !== null) return { reason: 'finish_in_app', until: instant(finishBy) }
  if (reason === null || channelStatus(state) !== 'pending') return null
  return { reason, until: reason === 'reconnect' ? null : instant(at) }
}

function instant(at: Date | string): string
function instant(at: Date | string | null): string | null
function instant(at: Date | string | null): string | null {
  return at instanceof Date ? at.toISOString() : at
}

/** Maps posts to the API shape, together with their files. */
export async function showPosts(scope: RequestScope, found: readonly PostView[]): Promise<Post[]> {
  const { ctx, tx, principal } = scope
  const withFiles = found.filter(({ post }) => post.type !== 'text').map(({ post }) => post.id)
  const files = await describeFiles(ctx, tx, principal.workspaceId, withFiles)
  return found.map((view) => presentPost(view, [...(files.get(view.post.id) ?? []), ...pendingFiles(view.post)]))
}

export async function showPost(scope: RequestScope, found: PostView): Promise<Post> {
  const [post] = await showPosts(scope, [found])
  if (!post) throw new Error('showPosts returned no post')
  return post
}

/** Files that have not been fetched yet, with their URL. */
function pendingFiles({ pending_medias: pending }: PostViewRow): MediaRef[] {
  return (pending ?? [])
    .filter(({ connection, entry }) => connection === '' && entry.startsWith('http'))
    .map(({ entry, alt }) => ({
      id: null,
      name: null,
      type: null,
      mimeType: null,
      url: entry,
      thumbnailUrl: null,
      pages: null,
      alt: alt ?? '',
    }))
}
