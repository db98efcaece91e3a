import type { TimelineEntry, TimelineStage } from '@carillon/contract'
import { channelStatus } from '@carillon/core'
import type { RequestScope } from '../../../infra/http/request-scope.ts'
import { listChannelEvents, type ChannelEventRow } from '../channel-event.store.ts'
import { loadPost } from '../load-post.ts'
import { listChannelProgress, type ChannelProgress } from './timeline.store.ts'

/** What happened to each channel of a post, oldest first. */
export async function showTimeline(scope: RequestScope, id: string): Promise<TimelineEntry[]> {
  const { tx, principal } = scope
  const { post } = await loadPost(scope, id)
  const key = { workspaceId: principal.workspaceId, id: post.id }
  const [channels, events] = await Promise.all([listChannelProgress(tx, key), listChannelEvents(tx, key)])
  const byChannel = Map.groupBy(events, (event) => event.channel_id)
  const placed = channels.flatMap((channel) => place(entriesOf(channel, byChannel.get(channel.id) ?? [])))
  return placed.toSorted((one, other) => one.orderMs - other.orderMs).map(({ entry }) => entry)
}

/**
 * Keeps the order of one channel when all channels are sorted by time. A post that was found on its platform later was published before its
 * outcome was unconfirmed, but the confirmation came after that.
 */
function place(entries: readonly TimelineEntry[]): { entry: TimelineEntry; orderMs: number }[] {
  let orderMs = 0
  return entries.map((entry) => {
    orderMs = Math.max(orderMs, Date.parse(entry.at))
    return { entry, orderMs }
  })
}

/** The entries of one channel: failures, retries and decisions are stored, the rest is in the channel's columns. */
function entriesOf(channel: ChannelProgress, events: readonly ChannelEventRow[]): TimelineEntry[] {
  const stored = events.map(entryOfEvent)
  const fromColumn = (stage: TimelineStage, at: Date | null, attempt: number): TimelineEntry[] =>
    at ? [{ ...blank, channelId: channel.id, at: at.toISOString(), stage, attempt }] : []
  const hasLeftDraft = channel.state !== 'draft' || stored.length > 0
  const before = [
    ...(hasLeftDraft ? fromColumn('queued', channel.handle_at, 0) : []),
    ...fromColumn('staged', channel.staged_at, channel.attempts),
    ...(channel.attempts > 0 ? fromColumn('sent', channel.submitted_at, channel.attempts) : []),
    ...stored,
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return [...before, ...endOf(channel, stored)]
}

const blank = { code: null, platformCode: null, message: null, retryAt: null }

/** How it ended, unless a stored event says so already. */
function endOf(
  { id, state, published_at, finished_at, attempts, error }: ChannelProgress,
  stored: TimelineEntry[],
): TimelineEntry[] {
  const last = stored.at(-1)
  if (last?.stage === 'resolved') return []
  const status = channelStatus(state)
  const at = (published_at ?? finished_at)?.toISOString()
  if (status === 'success') return at ? [{ ...blank, channelId: id, at, stage: 'confirmed', attempt: attempts }] : []
  if (status !== 'failed' && status !== 'unconfirmed' && status !== 'canceled') return []
  const stage = status === 'unconfirmed' ? 'unconfirmed' : 'failed'
  if (!at || (last?.stage === stage && last.retryAt === null)) return []
  return [
    {
      channelId: id,
      at,
      stage,
      attempt: attempts,
      code: error?.code ?? null,
      platformCode: error?.platformCode ?? null,
      message: error?.message ?? null,
      ...explanationOf(error?.reason, error?.platformMessage),
      retryAt: null,
    },
  ]
}

function explanationOf(reason?: string | null, platformMessage?: string | null) {
  return { ...(reason && { reason }), ...(platformMessage && { platformMessage }) }
}

function entryOfEvent(row: ChannelEventRow): TimelineEntry {
  return {
    channelId: row.channel_id,
    at: row.at.toISOString(),
    stage: row.stage,
    attempt: row.attempt,
    code: row.code,
    platformCode: row.platform_code,
    message: row.message,
    ...explanationOf(row.reason, row.platform_message),
    retryAt: row.retry_at?.toISOString() ?? null,
  }
}
