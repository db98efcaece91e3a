import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const everyMs = 100

/**
 * Waits until every event has become deliveries and every delivery has ended, and returns how many of both are left. New posts do not count: the requests that
 * measure the API create them all the time, and no webhook is subscribed to their event.
 */
export async function waitEvents(db: pg.Pool, withinMs: number): Promise<{ undelivered: number }> {
  for (const endsAtMs = Date.now() + withinMs; ; await sleep(everyMs)) {
    const { rows } = await db.query<{ busy: boolean }>(
      `select exists (select from outbox_event where event <> 'upload.scheduled') or exists (select from webhook_delivery where status = 'pending') as busy`,
    )
    if (rows[0]?.busy === false) return { undelivered: 0 }
    if (Date.now() > endsAtMs) return { undelivered: await countUndelivered(db) }
  }
}

async function countUndelivered(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select ((select count(*) from outbox_event where event <> 'upload.scheduled') + (select count(*) from webhook_delivery where status = 'pending'))::int as count`,
  )
  return rows[0]?.count ?? 0
}
