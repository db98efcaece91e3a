import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { endOf, mayStart } from '../../posts/transition.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import type { ChannelRef } from '../channel-ref.ts'

type PostRef = { workspace_id: string; id: string }

const isTooLate = sql`
  w.hold_if_late_minutes is not null and c.due_at < now() - make_interval(mins => w.hold_if_late_minutes)`

/** The posts of these channels that are later than their workspaces accept. */
export async function findLatePosts(system: Db, refs: readonly ChannelRef[]): Promise<PostRef[]> {
  const { rows } = await sql<PostRef>`
    select distinct p.workspace_id, p.id
    from ${channelRefRows(refs)}
    join channel c on ${isCurrent}
    join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
    join workspace w on w.id = p.workspace_id
    where ${isTooLate}
    order by p.workspace_id, p.id`.execute(system)
  return rows
}

/** Returns a late post to draft unless one of its channels may have been sent. Gives the ids of the channels that went with it. */
export async function holdPost(tx: Tx, { workspace_id, id }: PostRef): Promise<string[]> {
  const { rows: locked } = await sql`
    select 1
    from post p
    where p.workspace_id = ${workspace_id} and p.id = ${id} and p.status in ('scheduled', 'queued', 'publishing')
    for update of p`.execute(tx)
  if (locked.length === 0) return []
  const { rows: siblings } = await sql<{ id: string; may_be_sent: boolean; may_hold: boolean; is_late: boolean }>`
    select c.id,
      c.state in ('submitting', 'confirming', 'published', 'unconfirmed') as may_be_sent,
      ${mayStart('hold')} as may_hold,
      ${mayStart('hold')} and ${isTooLate} as is_late
    from channel c
    join workspace w on w.id = c.workspace_id
    where c.workspace_id = ${workspace_id} and c.post_id = ${id}
    order by c.id
    for update of c`.execute(tx)
  if (siblings.some(({ may_be_sent }) => may_be_sent) || !siblings.some(({ is_late }) => is_late)) return []
  const ids = siblings.filter(({ may_hold }) => may_hold).map((sibling) => sibling.id)
  await sql`
    update channel c
    set state = ${endOf('hold')}, dispatch_at = null, due_at = null, recover_at = null, not_before = null, waiting_reason = null,
      generation = c.generation + 1, late_ms = null, attempts = 0, tries = 0, refusals = 0, armed_at = null, error = null
    where c.workspace_id = ${workspace_id} and c.post_id = ${id} and c.id = any(${ids})`.execute(tx)
  await sql`
    update post p
    set status = 'draft',
      updated_at = now(),
      warnings = p.warnings || jsonb_build_array(
        'Held: it was due at ' || to_char(coalesce(p.scheduled_at, p.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC and could not go out in time.')
    where p.workspace_id = ${workspace_id} and p.id = ${id}`.execute(tx)
  return ids
}
