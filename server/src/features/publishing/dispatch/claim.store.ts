import { sql, type RawBuilder } from 'kysely'
import { isLeaving, openEpoch } from '../../../infra/cell/cell.store.ts'
import type { Db } from '../../../infra/db/db.ts'
import { isKnownPlatform } from '../../../infra/db/known-platforms.store.ts'
import { endOf } from '../../posts/post-status.store.ts'
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

/** What is made before the due time is made even if the time is crowded. */
const needsPreparation = sql`not c.prepared and (c.renew_token or c.needs_stage and c.staged is null)`

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

/**
 * Of a channel that is looked up by its key. Compared as it is, `wake_at` lets PostgreSQL look in the indexes of due channels instead: they are
 * empty as long as its statistics are of a calm time, and then each channel is searched among all that are due.
 */
const wakesUntil = (moment: RawBuilder<unknown>) => sql`coalesce(c.wake_at, 'infinity') <= ${moment}`

const secondOf = (column: string) => sql`date_bin('1 second', ${sql.ref(column)}, 'epoch')`

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
  /** How many channels were claimed ahead of their time, by the second in which they are due, in milliseconds. */
  ahead: Map<number, number>
  /** When everything is looked at again, in the time of `performance.now()`. */
  nextWideAt: number
}

const firstLine = { workspaceId: '', platform: '' }

export function startClaims(): ClaimProgress {
  return { after: firstLine, hasMore: false, lookedTo: null, ahead: new Map(), nextWideAt: 0 }
}

type ClaimOptions = {
  horizonMs: number
  limit: number
  /** How much is looked at: as for a claim of so many. */
  lookFor?: number
  /** At most so many of one workspace. */
  turnMax?: number
  /** At most so many of one second are claimed ahead of it, and one of each workspace. The others are claimed when they are due, by turns. */
  aheadMax?: number
  progress?: ClaimProgress
}

/** More than one claim takes. */
const noLimit = 1_000_000

/**
 * Claims channels that fall due before the horizon for one worker. Other workers skip the rows being claimed. Workspaces take turns: the
 * first channel of each, then the second of each, so that a workspace with thousands of due channels does not delay the others. Within a
 * workspace the platforms take turns in the same way, so that the backlog of a platform that was down does not delay the others.
 * The generation rises with the claim, so jobs that an earlier claim enqueued are stale from here on.
 *
 * Candidates are the oldest due channels. If there are more than are looked at, they may all be of one workspace: then those that became due
 * last and the first channels of other lines are candidates too. `line` steps through an index from one line to the next, some of them in each
 * claim and the following ones in the next, so the cost depends neither on the length of a backlog nor on the number of workspaces.
 * They are sorted before the join, so that it ends with the last one that is claimed.
 *
 * While a backup holds a snapshot, PostgreSQL keeps the index entries of all channels that were sent meanwhile, and a look at everything that
 * is due passes all of them. So most claims look only at what was made due in the last seconds and at what the horizon has reached since the
 * claim before. Anything else, such as a channel that returned to the schedule with its old time, is found by the next look at everything.
 */
export async function claimDue(
  system: Db,
  { horizonMs, limit, lookFor = limit, turnMax = noLimit, aheadMax = noLimit, progress = startClaims() }: ClaimOptions,
): Promise<Claimed[]> {
  const horizon = fromNow(horizonMs)
  const lookedAt = lookFor * lookedAtPerClaim
  const linesMax = lookFor * linesPerClaim
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
    newest as (
      ${newestIn(fromNow(recent.fromMs), sql`now()`, lookFor)}
    ),
    backlog as (
      select count(*) >= ${lookedAt} as is_cut from oldest
    ),
    line as (
      (
        select workspace_id, platform, wake_at, 1 as step
        from part
        where wake_at is not null and (workspace_id, platform) > (${after.workspaceId}, ${after.platform})
          and (select is_cut from backlog)
        order by workspace_id, platform, wake_at
        limit 1
      )
      union all
      select next.workspace_id, next.platform, next.wake_at, line.step + 1
      from line, lateral (
        select c.workspace_id, c.platform, c.wake_at
        from part c
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
      select * from oldest
      union
      select * from newest where (select is_cut from backlog)
      union
      select first.*
      from due_line, lateral (
        select c.workspace_id, c.platform, c.id, c.wake_at
        from part c
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
    ahead as (
      select *
      from unnest(${[...progress.ahead.keys()].map((ms) => new Date(ms))}::timestamptz[], ${[...progress.ahead.values()]}::int[])
        as t (second, claimed)
    ),
    due as (
      select c.workspace_id, c.id, turn.turn
      from (
        select *, row_number() over (partition by ${secondOf('wake_at')} order by turn, wake_at) as place_in_second
        from turn
        order by turn, wake_at
      ) as turn
      join part c on c.workspace_id = turn.workspace_id and c.id = turn.id
      left join ahead on ahead.second = ${secondOf('turn.wake_at')}
      where ${wakesUntil(sql`case when ${isPostponed} then now() else ${horizon} end`)} and not ${isLeaving('c.workspace_id')}
        and turn.turn <= ${turnMax}
        and (${wakesUntil(sql`now()`)} or turn.turn = 1 or turn.place_in_second + coalesce(ahead.claimed, 0) <= ${aheadMax} or ${needsPreparation})
      order by turn.turn, turn.wake_at
      limit ${limit}
      for update of c skip locked
    ),
    claimed as (
      update part c
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
  progress.hasMore = claimed.length === limit || (claimed.length > 0 && (isCut || turnMax < noLimit))
  countAhead(progress, claimed, seen ? seen.horizon.getTime() - horizonMs : 0)
  progress.lookedTo = seen?.is_open && !isCut && !progress.hasMore ? seen.horizon : null
  const nowMs = performance.now()
  if (isWide) progress.nextWideAt = nowMs + waitForWideMs(nowMs - beginMs)
  progress.after = seen?.last_workspace_id
    ? { workspaceId: seen.last_workspace_id, platform: seen.last_platform ?? '' }
    : firstLine
  return claimed
}

function countAhead({ ahead }: ClaimProgress, claimed: readonly Claimed[], nowMs: number): void {
  for (const second of ahead.keys()) if (second < nowMs - 1000) ahead.delete(second)
  for (const { dispatchAt, prepare } of claimed) {
    if (prepare || dispatchAt.getTime() <= nowMs) continue
    const second = Math.floor(dispatchAt.getTime() / 1000) * 1000
    ahead.set(second, (ahead.get(second) ?? 0) + 1)
  }
}

type Moment = RawBuilder<unknown>

const oldestIn = (after: Moment, to: Moment, limit: number) => dueIn(after, to, sql`order by wake_at limit ${limit}`)
const newestIn = (after: Moment, to: Moment, limit: number) => dueIn(after, to, sql`order by wake_at desc limit ${limit}`)

function dueIn(after: Moment, to: Moment, part: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select workspace_id, platform, id, wake_at
    from part
    where wake_at > ${after} and wake_at <= ${to} and ${epochOfClaim} is not null and ${isKnownPlatform('platform')}
    ${part}
  )`
}

const fromNow = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000})`

function recentlyDue(limit: number): RawBuilder<unknown> {
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
