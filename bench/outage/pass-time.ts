import type pg from 'pg'
import type { Platform } from '../setup/simulator.ts'

/**
 * Simulates that time passes for the posts of one platform: everything that is stored about them moves into the past, and so do the rate
 * windows. Channels that are enqueued return to the schedule, because their jobs hold the times from before; the new generation makes those
 * jobs do nothing.
 */
export async function passTime(db: pg.Pool, platform: Platform, ms: number): Promise<void> {
  const span = `make_interval(secs => ${ms / 1000})`
  await db.query(
    `update post p set scheduled_at = p.scheduled_at - ${span}
     where p.scheduled_at is not null
       and exists (select from channel c where c.workspace_id = p.workspace_id and c.post_id = p.id and c.platform = $1)`,
    [platform],
  )
  await db.query(`update channel set due_at = due_at - ${span} where platform = $1 and due_at is not null`, [platform])
  await db.query(
    `update channel
     set dispatch_at = dispatch_at - ${span}, not_before = not_before - ${span}, state = 'scheduled', recover_at = null,
       generation = generation + 1
     where platform = $1 and state in ('scheduled', 'dispatched')`,
    [platform],
  )
  await db.query(`update rate_window set started_at = started_at - ${span}`)
}
