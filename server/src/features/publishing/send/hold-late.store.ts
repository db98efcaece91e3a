import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { endOf, mayStart } from '../../posts/transition.store.ts'
import type { LoadedChannel } from '../open-channel.ts'

/** How late a channel must be before its workspace's setting is read at all. */
const checkFromMs = 60_000

/**
 * Returns posts to draft, with the reason, that would be published later than their workspace accepts. Only whole posts are held: once one
 * channel was sent, the others are sent too.
 */
export async function holdLate(
  tx: Tx,
  armed: readonly LoadedChannel[],
  nowMs: number,
): Promise<{ timely: LoadedChannel[]; held: number }> {
  const late = armed.filter(
    ({ channel, post }) => post.status === 'scheduled' && nowMs - (channel.due_at?.getTime() ?? nowMs) > checkFromMs,
  )
  if (late.length === 0) return { timely: [...armed], held: 0 }
  const { rows } = await sql<{ workspace_id: string; id: string }>`
    update post p
    set status = 'draft',
      updated_at = now(),
      warnings = p.warnings || jsonb_build_array(
        'Held: it was due at ' || to_char(p.scheduled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC and could not go out in time.')
    from workspace w,
      unnest(${late.map((l) => l.post.workspace_id)}::text[], ${late.map((l) => l.post.id)}::text[]) as t (workspace_id, id)
    where p.workspace_id = t.workspace_id and p.id = t.id and w.id = p.workspace_id and p.status = 'scheduled'
      and w.hold_if_late_minutes is not null and p.scheduled_at < now() - make_interval(mins => w.hold_if_late_minutes)
    returning p.workspace_id, p.id`.execute(tx)
  const held = new Set(rows.map((row) => row.id))
  if (held.size === 0) return { timely: [...armed], held: 0 }
  await sql`
    update channel c
    set state = ${endOf('hold')}, dispatch_at = null, due_at = null, recover_at = null, generation = c.generation + 1,
      late_ms = null, attempts = 0, tries = 0, armed_at = null
    from unnest(${rows.map((row) => row.workspace_id)}::text[], ${rows.map((row) => row.id)}::text[]) as t (workspace_id, id)
    where c.workspace_id = t.workspace_id and c.post_id = t.id and ${mayStart('hold')}`.execute(tx)
  return { timely: armed.filter(({ post }) => !held.has(post.id)), held: held.size }
}
