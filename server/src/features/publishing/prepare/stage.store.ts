import type { Staged } from '@carillon/connectors'
import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'
import { endOf, mayStart } from '../../posts/transition.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import type { ChannelRef } from '../channel-ref.ts'

/**
 * Stores what was staged and returns the channel to the schedule, prepared, so that it is sent together with others that are due at the same
 * time. False when the channel has moved on meanwhile.
 */
export async function savePrepared(system: Db, ref: ChannelRef, staged: Staged | undefined): Promise<boolean> {
  const value = staged === undefined ? null : JSON.stringify(staged ?? {})
  const { rows } = await sql`
    update part c
    set staged = coalesce(${value}::jsonb, c.staged),
      staged_at = case when ${value}::jsonb is null then c.staged_at else now() end,
      not_before = null, waiting_reason = null, error = null, state = ${endOf('release')}, recover_at = null, prepared = true,
      generation = c.generation + 1
    from ${channelRefRows([ref])}
    where ${isCurrent} and ${mayStart('release')}
    returning 1`.execute(system)
  return rows.length > 0
}

/** Removes warnings that turned out not to be true. */
export async function removeWarnings(system: Db, ref: ChannelRef, warnings: readonly string[]): Promise<void> {
  if (warnings.length === 0) return
  await sql`
    update part c
    set warnings = (
      select coalesce(jsonb_agg(w.value order by w.position), '[]'::jsonb)
      from jsonb_array_elements(c.warnings) with ordinality as w (value, position)
      where w.value #>> '{}' <> all(${warnings}::text[])
    )
    from ${channelRefRows([ref])}
    where ${isCurrent}`.execute(system)
}
