import pg from 'pg'
import type { Platform } from '../setup/simulator.ts'

/**
 * Simulates that time passes for the posts of one platform: everything that is stored about them moves into the past, and so do the rate
 * windows. Channels that are enqueued return to the schedule, because their jobs hold the times from before; the new generation makes those
 * jobs do nothing.
 */
export async function passTime(db: pg.Pool, platform: Platform, ms: number): Promise<void> {
  for (;;) {
    try {
      return await moveIntoPast(db, platform, ms)
    } catch (error) {
      // The service updates the same channels in another order. PostgreSQL ends one of the two transactions; this one is then repeated.
      if (!(error instanceof pg.DatabaseError) || error.code !== deadlockDetected) throw error
    }
  }
}

const deadlockDetected = '40P01'

async function moveIntoPast(db: pg.Pool, platform: Platform, ms: number): Promise<void> {
  const span = `make_interval(secs => ${ms / 1000})`
  const client = await db.connect()
  try {
    // Together, and the posts first, as the service locks them.
    await client.query('begin')
    await client.query(`update post set scheduled_at = scheduled_at - ${span} where ${isOutagePost('post')}`)
    await client.query(
      `update channel c
       set due_at = c.due_at - ${span},
         dispatch_at = case when ${isWaiting} then c.dispatch_at - ${span} else c.dispatch_at end,
         not_before = case when ${isWaiting} then c.not_before - ${span} else c.not_before end,
         recover_at = case when ${isWaiting} then null else c.recover_at end,
         generation = c.generation + case when ${isWaiting} then 1 else 0 end,
         state = case when ${isWaiting} then 'scheduled' else c.state end
       from post p
       where p.workspace_id = c.workspace_id and p.id = c.post_id and ${isOutagePost('p')} and c.platform = $1`,
      [platform],
    )
    await client.query(`update rate_window set started_at = started_at - ${span}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const isWaiting = "c.state in ('scheduled', 'dispatched')"

/** The posts of this scenario, by the first word of their text. */
export function isOutagePost(table: string): string {
  return `${table}.text ~ '^(late|held) '`
}
