import { isTimezone, resolveSchedule } from '@carillon/core'
import { problem } from '../../../infra/problem/problem.ts'

/** When a post is to be published: the instant, the wall time it was given as, and the zone. Without a schedule `at` is null. */
export type Timing = { at: Date | null; wall: string | null; timezone: string | null; isNow: boolean }

export function resolveTime(
  given: { scheduledAt?: string | null | undefined; timezone?: string | null | undefined },
  nowMs: number,
): Timing {
  const timezone = given.timezone ?? null
  if (timezone !== null && !isTimezone(timezone)) {
    throw problem('request_invalid', {
      details: [{ path: 'timezone', message: `"${timezone}" is not an IANA time zone, for example Europe/Berlin.` }],
    })
  }
  if (!given.scheduledAt) return { at: null, wall: null, timezone, isNow: true }
  const found = resolveSchedule({ scheduledAt: given.scheduledAt, timezone }, nowMs)
  if (!found.ok)
    throw problem('request_invalid', { message: found.message, details: [{ path: found.path, message: found.message }] })
  if (found.at === 'now') return { at: new Date(nowMs), wall: found.wall, timezone, isNow: true }
  return { at: new Date(found.at), wall: found.wall, timezone, isNow: false }
}
