import type { Context } from '../../context.ts'
import { instantOfWall } from '@carillon/core'
import { isToldTo, isNoticeKind } from './audience.ts'
import { mailNotices } from './tell-notices.ts'
import { deleteOldRows } from './derive.store.ts'
import { claimDigest, findDigestReaders, lockDigest, settleMails, type DigestReader } from './tell.store.ts'

export const digestHour = 8
const dayMs = 86_400_000
const readersMax = 1000

/**
 * Sends the digests whose hour has come. Of the hours that passed while nothing was sent, only the latest counts: its digest has everything
 * that waits.
 */
export async function sendDigests(ctx: Context): Promise<void> {
  const nowMs = ctx.nowMs()
  for (const reader of await findDigestReaders(ctx.db.system, readersMax)) {
    const dueMs = lastDigestMs(reader, nowMs)
    if (reader.waitsSince.getTime() > dueMs || (reader.digestedAt?.getTime() ?? 0) >= dueMs) continue
    await sendDigest(ctx, reader, dueMs)
  }
}

/** The mail, and that it was sent, are stored in one transaction. */
async function sendDigest(ctx: Context, { personId, email }: DigestReader, dueMs: number): Promise<void> {
  await ctx.db.system.transaction().execute(async (tx) => {
    if (!(await claimDigest(tx, personId, { dueAt: new Date(dueMs), now: new Date(ctx.nowMs()) }))) return
    const waiting = await lockDigest(tx, personId)
    const mailed = waiting.map(({ workspaceId, id }) => ({ workspaceId, noticeId: id, personId }))
    await settleMails(tx, mailed, { mail: 'done', from: null })
    const notices = waiting.filter(
      ({ kind, role, isRead, isResolved }) => !isRead && !isResolved && isNoticeKind(kind) && isToldTo(kind, role),
    )
    if (ctx.config.mail !== null) await mailNotices(ctx, tx, { personId, email, notices, group: 'all' })
  })
}

/** The latest moment at which a digest was due: once on each day of the person's zone, also when the clock changes. */
export function lastDigestMs({ hour, timezone }: Pick<DigestReader, 'hour' | 'timezone'>, nowMs: number): number {
  const wanted = hour ?? digestHour
  const zone = timezone ?? 'UTC'
  // The day in this zone may be one ahead of that in UTC, or one behind.
  for (const days of [1, 0, -1]) {
    const dueMs = instantOfDay(new Date(nowMs + days * dayMs).toISOString().slice(0, 10), wanted, zone)
    if (dueMs <= nowMs) return dueMs
  }
  return instantOfDay(new Date(nowMs - 2 * dayMs).toISOString().slice(0, 10), wanted, zone)
}

function instantOfDay(day: string, hour: number, timezone: string): number {
  const wall = `${day}T${String(hour).padStart(2, '0')}:00:00`
  return Date.parse(instantOfWall(wall, timezone) ?? `${wall}Z`)
}

export function deleteOldNotices(ctx: Context): Promise<void> {
  return deleteOldRows(ctx.db.system, new Date(ctx.nowMs()))
}
