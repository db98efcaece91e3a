import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The question itself takes processor time from the database, which is being measured. */
const everyMs = 250

/** Waits until no channel is being sent any more, and returns when that was. */
export async function waitSettled(
  db: pg.Pool,
  { withinMs, except = '' }: { withinMs: number; except?: string },
): Promise<{ atMs: number; left: number }> {
  const endsAtMs = Date.now() + withinMs
  for (;;) {
    // Each half of this query reads only the start of a partial index, however many channels are waiting.
    const { rows } = await db.query<{ busy: boolean }>(
      `select exists (select from channel where recover_at is not null and platform <> $1)
         or exists (select from channel where wake_at < now() + interval '10 minutes' and platform <> $1) as busy`,
      [except],
    )
    const atMs = Date.now()
    if (rows[0]?.busy === false) return { atMs, left: 0 }
    if (atMs > endsAtMs) return { atMs, left: await countLeft(db, except) }
    await sleep(everyMs)
  }
}

async function countLeft(db: pg.Pool, except: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from channel
     where platform <> $1 and (recover_at is not null or wake_at < now() + interval '10 minutes')`,
    [except],
  )
  return rows[0]?.count ?? 0
}

/** Counts the channels by platform and state. */
export async function countStates(db: pg.Pool, label: string): Promise<{ platform: string; state: string; count: number }[]> {
  const { rows } = await db.query<{ platform: string; state: string; count: number }>(
    `select c.platform, c.state, count(*)::int as count from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
     where p.text like $1 || ' %' group by 1, 2 order by 1, 2`,
    [label],
  )
  return rows
}
