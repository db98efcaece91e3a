import type pg from 'pg'

/**
 * Answers for repeated requests are kept for a day, which is part of the interface and no setting. Those that are five minutes old are made
 * a day older, so that the service's own sweep deletes them while the soak runs.
 */
export async function ageIdempotencyRows(db: pg.Pool): Promise<void> {
  await db.query(
    `update idempotency set created_at = created_at - interval '24 hours'
     where created_at between now() - interval '23 hours' and now() - interval '5 minutes'`,
  )
}
