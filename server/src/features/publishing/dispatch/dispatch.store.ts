import { sql, type RawBuilder } from 'kysely'
import { cellEpoch, openEpoch } from '../../../infra/cell/cell.store.ts'
import { isLeaving } from '../../../infra/cell/leaving-workspace.store.ts'
import type { Db } from '../../../infra/db/db.ts'
import { isKnownPlatform } from '../../../infra/db/known-platforms.store.ts'
import { endOf, mayStart } from '../../posts/transition.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import { refOf, type ChannelRef, type ChannelRefRow } from '../channel-ref.ts'

export type Claimed = ChannelRef & {
  platform: string
  /** The server of its connection, where users choose it. */
  instanceUrl: string | null
  dueAt: Date
  dispatchAt: Date
  stagedAt: Date | null
  /** Its place among the due channels of its workspace. */
  turn: number
  prepare: boolean
  traceparent: string | null
}

type SeenByClaim = {
  is_cut: boolean
  is_open: boolean
  horizon: Date
  last_workspace_id: string | null
  last_platform: string | null
}
type NothingClaimed = SeenByClaim & { id: null }

type ClaimedRow = ChannelRefRow &
  SeenByClaim & {
    platform: string
    instance_url: string | null
    due_at: Date | null
    dispatch_at: Date
    staged_at: Date | null
    turn: number
    prepare: boolean
    traceparent: string | null
  }

/** A token must outlive the due time by this much, or it is renewed before. */
const tokenMargin = sql`interval '60 seconds'`

/**
 * Tried and postponed. It is claimed at its time, not ahead of it, because what it waits for may change; all of them that are due then share
 * runs. A channel whose preparation failed (`not_before`) still has to be prepared ahead of its time.
 */
const isPostponed = sql`c.waiting_reason is not null and c.not_before is null`

/** The oldest due channels that are looked at for each that is claimed, so that several workers can claim at the same time. */
const lookedAtPerClaim = 5
/** With a backlog: the lines, each a workspace's channels on one platform, that are visited for each channel that is claimed. */
const linesPerClaim = 2

/** Where a claim that does not look at everything finds what was made due just now. */
const recent = { fromMs: -30_000, toMs: 3_000 }
/** A look at everything that is due uses at most this part of the time, and is repeated after two seconds to one minute. */
const wideShare = 1 / 20
const wideEveryMsMin = 2_000
const wideEveryMsMax = 60_000

/** Null while nothing may be sent. Read once for each claim. */
const epochOfClaim = sql<number | null>`(select epoch from open_cell)`

/** What the claims of one process remember. */
export type ClaimProgress = {
  /** The line after which the next visit to the lines goes on. */
  after: { workspaceId: string; platform: string }
  /** There may be more to claim at once. */
  hasMore: boolean
  /** Everything that falls due before this was looked at. Null if there may be more of it. */
  lookedTo: Date | null
  /** When everything is looked at again, in the time of `performance.now()`. */
  nextWideAt: number
}

const firstLine = { workspaceId: '', platform: '' }

export function startClaims(): ClaimProgress {
  return { after: firstLine, hasMore: false, lookedTo: null, nextWideAt: 0 }
}

type ClaimOptions = { horizonMs: number; limit: number; progress?: ClaimProgress }

/**
 * Claims channels that fall due before the horizon for one worker. Other workers skip the rows being claimed. Workspaces take turns: the
 * first channel of each, then the second of each, so that a workspace with thousands of due channels does not delay the others. Within a
 * workspace the platforms take turns in the same way, so that the backlog of a platform that was down does not delay the others.
 * The generation rises with the claim, so jobs that an earlier claim enqueued are stale from here on.
 *
 * Candidates are the oldest due channels. If there are more than are looked at, they may all be of one workspace: then the first channels of
 * other lines are candidates too. `line` steps through an index from one line to the next, some of them in each claim and the following ones
 * in the next, so the cost depends neither on the length of a backlog nor on the number of workspaces.
 *
 * While a backup holds a snapshot, PostgreSQL keeps the index entries of all channels that were sent meanwhile, and a look at everything that
 * is due passes all of them. So most claims look only at what was made due in the last seconds and at what the horizon has reached since the
 * claim before. Anything else, such as a channel that returned to the schedule with its old time, is found by the next look at everything.
 */
export async function claimDue(system: Db, { horizonMs, limit, progress = startClaims() }: ClaimOptions): Promise<Claimed[]> {
  const horizon = sql`now() + make_interval(secs => ${horizonMs / 1000})`
  const lookedAt = limit * lookedAtPerClaim
  const linesMax = limit * linesPerClaim
  const { after, lookedTo } = progress
  // After a claim that failed, everything is looked at.
  progress.lookedTo = null
  const beginMs = performance.now()
  const isWide = lookedTo === null || beginMs >= progress.nextWideAt
  const newlyDue = oldestIn(sql`${lookedTo}`, horizon, lookedAt)
  const { rows } = await sql<ClaimedRow | NothingClaimed>`
    with recursive open_cell as materialized (
      select ${openEpoch} as epoch
    ),
    oldest as (
      ${isWide ? oldestIn(sql`'-infinity'`, horizon, lookedAt) : sql`${recentlyDue(lookedAt)} union all ${newlyDue}`}
    ),
    backlog as (
      select count(*) >= ${lookedAt} as is_cut from oldest
    ),
    line as (
      (
        select workspace_id, platform, wake_at, 1 as step
        from channel
        where wake_at is not null and (workspace_id, platform) > (${after.workspaceId}, ${after.platform})
          and (select is_cut from backlog)
        order by workspace_id, platform, wake_at
        limit 1
      )
      union all
      select next.workspace_id, next.platform, next.wake_at, line.step + 1
      from line, lateral (
        select c.workspace_id, c.platform, c.wake_at
        from channel c
        where c.wake_at is not null and (c.workspace_id, c.platform) > (line.workspace_id, line.platform)
        order by c.workspace_id, c.platform, c.wake_at
        limit 1
      ) as next
      where line.step < ${linesMax}
    ),
    due_line as (
      select workspace_id, platform from line where wake_at <= ${horizon} and ${isKnownPlatform('platform')}
    ),
    candidate as (
      select workspace_id, platform, id, wake_at from oldest
      union
      select first.*
      from due_line, lateral (
        select c.workspace_id, c.platform, c.id, c.wake_at
        from channel c
        where c.workspace_id = due_line.workspace_id and c.platform = due_line.platform and c.wake_at <= ${horizon}
        order by c.wake_at
        limit (select greatest(1, ${lookedAt} / count(*)) from due_line)
      ) as first
    ),
    place as (
      select workspace_id, id, wake_at, row_number() over (partition by workspace_id, platform order by wake_at) as place
      from candidate
    ),
    turn as (
      select workspace_id, id, wake_at, row_number() over (partition by workspace_id order by place, wake_at) as turn
      from place
    ),
    due as (
      select c.workspace_id, c.id, turn.turn
      from turn
      join channel c on c.workspace_id = turn.workspace_id and c.id = turn.id
      where c.wake_at <= case when ${isPostponed} then now() else ${horizon} end and not ${isLeaving('c.workspace_id')}
      order by turn.turn, turn.wake_at
      limit ${limit}
      for update of c skip locked
    ),
    claimed as (
      update channel c
      set state = ${endOf('claim')}, generation = c.generation + 1, recover_at = now() + interval '15 seconds'
      from due
      where c.workspace_id = due.workspace_id and c.id = due.id
      returning c.workspace_id, c.id, c.generation, c.platform, c.due_at, c.dispatch_at, c.connection_id, c.prepared, c.renew_token,
        c.staged_at, c.needs_stage and c.staged is null as unstaged, due.turn, c.traceparent
    )
    select backlog.is_cut, ${epochOfClaim} is not null as is_open, ${horizon} as horizon,
      last_line.workspace_id as last_workspace_id, last_line.platform as last_platform,
      c.workspace_id, c.id, c.generation, ${epochOfClaim} as epoch, c.platform, c.due_at, c.dispatch_at, c.staged_at, c.turn::int, c.traceparent,
      k.instance_url,
      not c.prepared
        and (c.unstaged or c.renew_token or coalesce(k.token_expires_at < c.dispatch_at + ${tokenMargin}, false)) as prepare
    from backlog
    left join line as last_line on last_line.step = ${linesMax}
    left join claimed c on true
    left join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id`.execute(system)
  const claimed = rows.filter((row) => row.id !== null).map(claimedOf)
  const [seen] = rows
  const isCut = seen?.is_cut ?? false
  progress.hasMore = claimed.length === limit || (isCut && claimed.length > 0)
  progress.lookedTo = seen?.is_open && !isCut && !progress.hasMore ? seen.horizon : null
  if (isWide) progress.nextWideAt = performance.now() + waitForWideMs(performance.now() - beginMs)
  progress.after = seen?.last_workspace_id
    ? { workspaceId: seen.last_workspace_id, platform: seen.last_platform ?? '' }
    : firstLine
  return claimed
}

function oldestIn(after: RawBuilder<unknown>, to: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`(
    select workspace_id, platform, id, wake_at
    from channel
    where wake_at > ${after} and wake_at <= ${to} and ${epochOfClaim} is not null and ${isKnownPlatform('platform')}
    order by wake_at
    limit ${limit}
  )`
}

function recentlyDue(limit: number): RawBuilder<unknown> {
  const fromNow = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000})`
  return oldestIn(fromNow(recent.fromMs), fromNow(recent.toMs), limit)
}

function waitForWideMs(tookMs: number): number {
  return Math.min(Math.max(tookMs / wideShare, wideEveryMsMin), wideEveryMsMax)
}

function claimedOf(row: ClaimedRow): Claimed {
  return {
    ...refOf(row),
    platform: row.platform,
    instanceUrl: row.instance_url,
    dueAt: row.due_at ?? row.dispatch_at,
    dispatchAt: row.dispatch_at,
    stagedAt: row.staged_at,
    turn: row.turn,
    prepare: row.prepare,
    traceparent: row.traceparent,
  }
}

/** The engine has these jobs and keeps them. A channel that is not sent a minute after that is planned returns to the schedule. */
export async function markEnqueued(system: Db, refs: readonly ChannelRef[], plannedAtMs: number): Promise<void> {
  await sql`
    update channel c
    set recover_at = greatest(c.dispatch_at, now(), ${new Date(plannedAtMs)}) + interval '60 seconds'
    from ${channelRefRows(refs)}
    where ${isCurrent} and c.state = 'dispatched'`.execute(system)
}

/** Claimed and not carried on: the worker died before it enqueued them, or the engine lost the job. They return to the schedule. */
export async function releaseStuck(system: Db): Promise<number> {
  const { rows } = await sql`
    with stuck as (
      select workspace_id, id
      from channel
      where ${mayStart('release', 'state')} and recover_at < now()
      limit 1000
      for update skip locked
    )
    update channel c
    set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
    from stuck
    where c.workspace_id = stuck.workspace_id and c.id = stuck.id
    returning 1`.execute(system)
  return rows.length
}

/** Claims that could not be enqueued return to the schedule at once. */
export async function releaseClaims(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update channel c
    set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
    from ${channelRefRows(refs)}
    where ${isCurrent} and ${mayStart('release')}`.execute(system)
}

/** Claims of channels whose server is down return to the schedule, each for its own time. */
export async function postponeClaims(system: Db, postponed: readonly { claimed: ChannelRef; waitMs: number }[]): Promise<void> {
  if (postponed.length === 0) return
  const refs = postponed.map(({ claimed }) => claimed)
  await sql`
    update channel c
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
      from channel c
      join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id
      where c.wake_at > now() and c.wake_at < now() + interval '1 hour' and c.platform = ${platform}
        and c.waiting_reason = 'platform_unavailable' and c.not_before is null and c.due_at <= now()
        and k.instance_url is not distinct from ${instanceUrl}
      limit ${limit}
      for update of c skip locked
    )
    update channel c
    set dispatch_at = now(), generation = c.generation + 1
    from waiting
    where c.workspace_id = waiting.workspace_id and c.id = waiting.id
    returning 1`.execute(system)
  return rows.length
}

/** A recovery job is enqueued for these channels. */
export async function markRecovering(system: Db, refs: readonly ChannelRef[]): Promise<void> {
  await sql`
    update channel c
    set recover_at = now() + interval '10 minutes'
    from ${channelRefRows(refs)}
    where ${isCurrent} and c.state in ('submitting', 'confirming')`.execute(system)
}

/**
 * First comments that no run is sending: the run that published the post died before it enqueued the comment, or the run that sends the
 * comment is gone. A call ends after 30 s, so a comment that is only slow is left alone.
 */
export async function findLostComments(system: Db): Promise<ChannelRef[]> {
  const { rows } = await sql<ChannelRefRow>`
    select workspace_id, id, generation, ${cellEpoch} as epoch
    from channel
    where state = 'published' and comment_state in ('waiting', 'submitting') and ${isKnownPlatform('platform')}
      and coalesce(comment_at, published_at)
        < now() - case comment_state when 'waiting' then interval '20 seconds' else interval '90 seconds' end
    order by published_at desc
    limit 200`.execute(system)
  return rows.map(refOf)
}

type Orphan = ChannelRef & { state: 'submitting' | 'confirming' }

/** Sends whose run is gone: the guard is set and no process waits for the answer any more. */
export async function findOrphans(system: Db): Promise<Orphan[]> {
  const { rows } = await sql<ChannelRefRow & Pick<Orphan, 'state'>>`
    update channel c
    set recover_at = now() + interval '15 seconds'
    from (
      select workspace_id, id
      from channel
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
    update channel
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
        from channel
        where ${mayStart('release', 'state')} and recover_at is not null
        limit ${batchSize}
        for update skip locked
      )
      update channel c
      set state = ${endOf('release')}, recover_at = null, generation = c.generation + 1
      from lost
      where c.workspace_id = lost.workspace_id and c.id = lost.id
      returning 1`.execute(system)
    released += rows.length
    if (rows.length < batchSize) return released
  }
}
