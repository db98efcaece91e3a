import { sql } from 'kysely'
import { cellEpoch } from '../../../infra/cell/cell.store.ts'
import type { Db } from '../../../infra/db/db.ts'
import { isKnownPlatform } from '../../../infra/db/known-platforms.store.ts'
import { endOf, mayStart } from '../../posts/post-status.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import { refOf, type ChannelRef, type ChannelRefRow } from '../channel-ref.ts'

/** The engine has these jobs and keeps them. A channel that is not sent a minute after that is planned returns to the schedule. */
export async function markEnqueued(system: Db, refs: readonly ChannelRef[], plannedAtMs: number): Promise<void> {
  await sql`
    update part c
    set recover_at = greatest(c.dispatch_at, now(), ${new Date(plannedAtMs)}) + interval '60 seconds'
    from ${channelRefRows(refs)}
    where ${isCurrent} and c.state = 'dispatched'`.execute(system)
}

/** Claimed and not carried on: the worker died before it enqueued them, or the engine lost the job. They return to the schedule. */
export async function releaseStuck(system: Db): Promise<number> {
  const { rows } = await sql`
    with stuck as (
      select workspace_id, id
      from part
      where ${mayStart('release', 'state')} and recover_at < now()
      limit 1000
      for update skip locked
    )
    update part c
    set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
    from stuck
    where c.workspace_id = stuck.workspace_id and c.id = stuck.id
    returning 1`.execute(system)
  return rows.length
}

/** Claims that could not be enqueued return to the schedule at once. */
export async function releaseClaims(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update part c
    set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
    from ${channelRefRows(refs)}
    where ${isCurrent} and ${mayStart('release')}`.execute(system)
}

/** Claims of channels whose server is down return to the schedule, each for its own time. */
export async function postponeClaims(system: Db, postponed: readonly { claimed: ChannelRef; waitMs: number }[]): Promise<void> {
  if (postponed.length === 0) return
  const refs = postponed.map(({ claimed }) => claimed)
  await sql`
    update part c
    set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1, waiting_reason = 'platform_unavailable',
      dispatch_at = now() + make_interval(secs => t.wait_ms / 1000)
    from unnest(
      ${refs.map(({ workspaceId }) => workspaceId)}::text[],
      ${refs.map(({ channelId }) => channelId)}::text[],
      ${refs.map(({ generation }) => generation)}::int[],
      ${refs.map(({ epoch }) => epoch)}::int[],
      ${postponed.map(({ waitMs }) => waitMs)}::float8[]
    ) as t (workspace_id, id, generation, epoch, wait_ms)
    where ${isCurrent} and ${mayStart('release')}`.execute(system)
}

/**
 * Makes some of the channels due now that wait for a server, and returns how many. Those that wait because their preparation failed are left
 * alone: they are not late yet.
 */
export async function wakeBatch(
  system: Db,
  { platform, instanceUrl, limit }: { platform: string; instanceUrl: string | null; limit: number },
): Promise<number> {
  const { rows } = await sql`
    with waiting as (
      select c.workspace_id, c.id
      from part c
      join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id
      where c.wake_at > now() and c.wake_at < now() + interval '1 hour' and c.platform = ${platform}
        and c.waiting_reason = 'platform_unavailable' and c.not_before is null and c.due_at <= now()
        and k.instance_url is not distinct from ${instanceUrl}
      limit ${limit}
      for update of c skip locked
    )
    update part c
    set dispatch_at = now(), generation = c.generation + 1
    from waiting
    where c.workspace_id = waiting.workspace_id and c.id = waiting.id
    returning 1`.execute(system)
  return rows.length
}

/** A recovery job is enqueued for these channels. */
export async function markRecovering(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update part c
    set recover_at = now() + interval '10 minutes'
    from ${channelRefRows(refs)}
    where ${isCurrent} and c.state in ('submitting', 'confirming')`.execute(system)
}

type Orphan = ChannelRef & { state: 'submitting' | 'confirming' }

/** Sends whose run is gone: the guard is set and no process waits for the answer any more. */
export async function findOrphans(system: Db): Promise<Orphan[]> {
  const { rows } = await sql<ChannelRefRow & Pick<Orphan, 'state'>>`
    update part c
    set recover_at = now() + interval '15 seconds'
    from (
      select workspace_id, id
      from part
      where state in ('submitting', 'confirming') and recover_at < now() and ${isKnownPlatform('platform')}
      limit 500
      for update skip locked
    ) as o
    where c.workspace_id = o.workspace_id and c.id = o.id
    returning c.workspace_id, c.id, c.generation, ${cellEpoch} as epoch, c.state`.execute(system)
  return rows.map((row) => ({ ...refOf(row), state: row.state }))
}

/** For an engine that lost its data: the jobs that would ask about these sends are gone, so they are enqueued again by the next sweep. */
export async function recoverLostSends(system: Db): Promise<number> {
  const { rows } = await sql`
    update part
    set recover_at = now()
    where state in ('submitting', 'confirming') and recover_at > now()
    returning 1`.execute(system)
  return rows.length
}

/**
 * For an engine that lost its data: every channel whose job was enqueued there returns to the schedule at once. A channel that is locked is
 * being sent, so its job is not lost.
 */
export async function releaseLostClaims(system: Db): Promise<number> {
  const batchSize = 5000
  for (let released = 0; ;) {
    const { rows } = await sql`
      with lost as (
        select workspace_id, id
        from part
        where ${mayStart('release', 'state')} and recover_at is not null
        limit ${batchSize}
        for update skip locked
      )
      update part c
      set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
      from lost
      where c.workspace_id = lost.workspace_id and c.id = lost.id
      returning 1`.execute(system)
    released += rows.length
    if (rows.length < batchSize) return released
  }
}
