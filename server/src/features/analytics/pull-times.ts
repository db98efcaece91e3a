import type { Tx } from '../../infra/db/db.ts'
import type { DomainEvent } from '../events/outbox.store.ts'
import { findPublications } from '../posts/reading/finished.store.ts'
import { planPulls } from './pull.store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How old a post may be for its figures to be requested: automatically, and when a user requests fresh figures. */
export const followMs = 30 * dayMs
export const requestedFollowMs = 90 * dayMs

/** The figures of a post are requested for the first time this long after it was published. */
const firstAskMs = 15 * minuteMs
/** How often the figures of a post are requested, by its age. A post receives most of its reactions in its first hours. */
const intervals = [
  { untilMs: 6 * hourMs, everyMs: hourMs },
  { untilMs: 2 * dayMs, everyMs: 6 * hourMs },
  { untilMs: followMs, everyMs: dayMs },
] as const
/** Posts that fall due this soon are included, so that a busy connection is pulled about once an hour and not once per post. */
const dueSoonMs = 10 * minuteMs

/** When a channel was published, and when its figures were last requested. */
export type ChannelTimes = { publishedAtMs: number; askedAtMs: number | null }

/** When a channel's figures are requested next; null if never, because the post is too old then. */
export function nextAskAtMs({ publishedAtMs, askedAtMs }: ChannelTimes): number | null {
  if (askedAtMs === null) return publishedAtMs + firstAskMs
  const ageMs = askedAtMs - publishedAtMs
  const interval = intervals.find(({ untilMs }) => ageMs < untilMs)
  return interval && ageMs + interval.everyMs < followMs ? askedAtMs + interval.everyMs : null
}

/** If a user requested fresh figures (`wantedAtMs`), every channel is due whose figures were not requested since. */
export function isDue(times: ChannelTimes, { nowMs, wantedAtMs }: { nowMs: number; wantedAtMs: number | null }): boolean {
  if (wantedAtMs !== null) return times.askedAtMs === null || times.askedAtMs < wantedAtMs
  const nextMs = nextAskAtMs(times)
  return nextMs !== null && nextMs <= nowMs + dueSoonMs
}

const backoffMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs]
/** After this many failures in a row the user's request for fresh figures is dropped, and the connection is pulled once a day. */
export const failuresMax = backoffMs.length

export function backoffAfter(failures: number): number {
  return backoffMs[failures] ?? dayMs
}

/** The pause between two parts of a long pull, so that reading figures does not use up the rate limits that publishing needs. */
export const pauseMs = 2 * minuteMs
/** A connection that cannot be pulled now is tried again the next day. */
export const nextDayMs = dayMs

/** Plans the first pull for channels that were just published. It runs when the event is relayed, so publishing does not wait for it. */
export async function planFirstPulls(tx: Tx, events: readonly Required<DomainEvent>[], nowMs: number): Promise<void> {
  const channels = events.flatMap(({ event, workspaceId, channelId }) =>
    event === 'channel.published' && channelId ? [{ workspaceId, channelId }] : [],
  )
  if (channels.length === 0) return
  const publishers = await findPublications(tx, channels)
  if (publishers.length > 0) await planPulls(tx, publishers, new Date(nowMs + firstAskMs))
}
