import { sql } from 'kysely'
import type { Db } from '../../infra/db/db.ts'
import type { ChannelRef } from './jobs.ts'
import { channelRefRows } from './channel-ref-rows.store.ts'

export type Claimed = ChannelRef & { platform: string; dispatchAt: Date; prepare: boolean }

type Row = { workspace_id: string; id: string; generation: number; platform: string; dispatch_at: Date; prepare: boolean }

/** A token must outlive the due time by this much, or it is renewed before. */
const tokenMargin = sql`interval '60 seconds'`

/**
 * Takes channels that fall due before the horizon, across all workspaces, for one dispatcher. Others skip what is being taken.
 * The generation rises with the claim, so whatever an earlier claim handed to the engine is stale from here on.
 */
export async function claimDue(system: Db, { horizonMs, limit }: { horizonMs: number; limit: number }): Promise<Claimed[]> {
  const { rows } = await sql<Row>`
    with due as (
      select workspace_id, id from channel
      where wake_at <= now() + make_interval(secs => ${horizonMs / 1000})
      order by wake_at limit ${limit} for update skip locked),
    claimed as (
      update channel c set state = 'dispatched', generation = c.generation + 1, recover_at = now() + interval '15 seconds'
      from due where c.workspace_id = due.workspace_id and c.id = due.id
      returning c.workspace_id, c.id, c.generation, c.platform, c.dispatch_at, c.connection_id, c.prepared, c.renew_token, c.needs_stage and c.staged is null as unstaged)
    select c.workspace_id, c.id, c.generation, c.platform, c.dispatch_at,
      not c.prepared and (c.unstaged or c.renew_token or coalesce(k.token_expires_at < c.dispatch_at + ${tokenMargin}, false)) as prepare
    from claimed c left join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id`.execute(system)
  return rows.map(claimed)
}

/** The engine has them now. It keeps what it took, so it is left alone until well after the due time. */
export async function markHanded(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update channel c set recover_at = greatest(c.dispatch_at, now()) + interval '5 minutes'
    from ${channelRefRows(refs)}
    where c.workspace_id = t.workspace_id and c.id = t.id and c.generation = t.generation and c.state = 'dispatched'`.execute(
    system,
  )
}

/** Claimed and then nothing: the dispatcher died before it handed them over, or the engine lost them. They go back to the schedule. */
export async function releaseStuck(system: Db): Promise<number> {
  const { rows } = await sql`
    with stuck as (
      select workspace_id, id from channel
      where state = 'dispatched' and recover_at < now() limit 1000 for update skip locked)
    update channel c set state = 'scheduled', recover_at = null, generation = c.generation + 1
    from stuck where c.workspace_id = stuck.workspace_id and c.id = stuck.id
    returning 1`.execute(system)
  return rows.length
}

/** Claims that could not be handed over go back at once. */
export async function releaseClaims(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update channel c set state = 'scheduled', recover_at = null, generation = c.generation + 1
    from ${channelRefRows(refs)}
    where c.workspace_id = t.workspace_id and c.id = t.id and c.generation = t.generation and c.state = 'dispatched'`.execute(
    system,
  )
}

/** Somebody is asking about them now. */
export async function markAsked(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update channel c set recover_at = now() + interval '10 minutes'
    from ${channelRefRows(refs)}
    where c.workspace_id = t.workspace_id and c.id = t.id and c.generation = t.generation and c.state in ('submitting', 'confirming')`.execute(
    system,
  )
}

/**
 * First comments that nobody sends: the run that published the post died before it could say so, or the one that sends the comment is
 * gone. A call ends after 30 s, so one that is only slow is left alone.
 */
export async function findLostComments(system: Db): Promise<ChannelRef[]> {
  const { rows } = await sql<{ workspace_id: string; id: string; generation: number }>`
    select workspace_id, id, generation from channel
    where state = 'published' and comment_state in ('waiting', 'submitting')
      and published_at < now() - case comment_state when 'waiting' then interval '20 seconds' else interval '90 seconds' end
    order by published_at desc limit 200`.execute(system)
  return rows.map((row) => ({ workspaceId: row.workspace_id, channelId: row.id, generation: row.generation }))
}

/** Sends whose run is gone: the guard is set and nobody is waiting for the answer any more. */
export async function findOrphans(system: Db): Promise<(ChannelRef & { state: 'submitting' | 'confirming' })[]> {
  const { rows } = await sql<{ workspace_id: string; id: string; generation: number; state: 'submitting' | 'confirming' }>`
    update channel c set recover_at = now() + interval '15 seconds'
    from (select workspace_id, id from channel
      where state in ('submitting', 'confirming') and recover_at < now() limit 500 for update skip locked) as o
    where c.workspace_id = o.workspace_id and c.id = o.id
    returning c.workspace_id, c.id, c.generation, c.state`.execute(system)
  return rows.map((row) => ({ workspaceId: row.workspace_id, channelId: row.id, generation: row.generation, state: row.state }))
}

function claimed(row: Row): Claimed {
  return {
    workspaceId: row.workspace_id,
    channelId: row.id,
    generation: row.generation,
    platform: row.platform,
    dispatchAt: row.dispatch_at,
    prepare: row.prepare,
  }
}
