import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { logProgress } from '../log-progress.ts'
import type { Options } from '../options.ts'
import { judgeSends, type Sends } from '../outage/judge-sends.ts'
import { isOutagePost, passTime } from '../outage/pass-time.ts'
import { atMost, type Outcome } from '../results.ts'
import { round, summarize, type Summary } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectTo, noAccounts } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'

const down = 'mastodon'
const other = 'bluesky'
const hourMs = 3_600_000
const simulatedHours = 6
/** What Mastodon allows one account in its window, and the window. */
const limit = { posts: 300, windowMs: 3 * hourMs }
/** More than one window allows, so that the service has to pace them. */
const postsPerAccount = 400
/** One post in ten belongs to a workspace that holds posts that are this late. */
const heldShare = 0.1
const holdIfLateMinutes = 60
const otherPerSecond = 5
const otherAccounts = 20
const windowsMax = 8
const drainWithinMs = 600_000
const lateRiseMsMax = 500

/**
 * A platform is down for six simulated hours while posts fall due. After it, every post is published once or held by its workspace's
 * policy, paced under the platform's limit, and posts on another platform are on time throughout.
 */
export async function outage({ posts = 10_000, outageSeconds = 60, short }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { db, stack, simulator } = bench
  const { workspaceId, otherWorkspaceId } = stack.info
  const held = Math.round(posts * heldShare)
  const sent = posts - held
  logProgress('connecting the accounts')
  const accountsFor = (count: number) => Math.ceil(count / postsPerAccount)
  const connect = (workspace: string, handle: string, count: number) =>
    connectTo(stack, simulator, { workspaceId: workspace, platform: down, handle, count })
  const sentAccounts = await connect(workspaceId, 'late', accountsFor(sent))
  const heldAccounts = await connect(otherWorkspaceId, 'held', accountsFor(held))
  await db.query('update workspace set hold_if_late_minutes = $2 where id = $1', [otherWorkspaceId, holdIfLateMinutes])
  // The posts are there before the traffic starts: storing thousands of them would delay it.
  const calmStartsAtMs = Date.now() + (short ? 8000 : 60_000)
  const calmEndsAtMs = calmStartsAtMs + (short ? 4000 : 20_000)
  // At full seconds: people choose full minutes, not milliseconds.
  const dueAtMs = (count: number) => (post: number) =>
    calmEndsAtMs + 2000 + Math.floor((post / count) * (outageSeconds / 2)) * 1000
  const seed = (workspace: string, accounts: typeof sentAccounts, count: number, label: string) =>
    seedPosts(db, {
      workspaceId: workspace,
      connected: { ...noAccounts(), [down]: accounts },
      posts: count,
      dueAtMs: dueAtMs(count),
      label,
    })
  await seed(workspaceId, sentAccounts, sent, 'late')
  await seed(otherWorkspaceId, heldAccounts, held, 'held')
  const traffic = await startTraffic(bench, { firstDueMs: calmStartsAtMs, totalMs: short ? 120_000 : 1_800_000 })

  await sleep(calmEndsAtMs - Date.now())
  logProgress(`${down} is down`)
  const endOutage = await simulator.startOutage(down)
  const beganAtMs = Date.now()
  // Half of the outage passes with the service's real waits, the other half in steps of one simulated hour.
  await sleep((outageSeconds * 1000) / 2)
  const stepsBeganAtMs = Date.now()
  for (let hour = 0; hour < simulatedHours; hour++) {
    await passTime(db, down, hourMs)
    await sleep((outageSeconds * 1000) / 2 / simulatedHours)
  }
  const beforeEnd = await countPublished(db)
  // A window that began in the outage could end a moment after it; the posts of two windows would then be judged as those of one.
  await db.query('delete from rate_window')
  await endOutage()
  const endedAtMs = Date.now()
  logProgress(`${down} is back after ${Math.round((endedAtMs - beganAtMs) / 1000)} s; published during the outage: ${beforeEnd}`)

  const windows = await drain(bench, endedAtMs)
  const recoveredAtMs = Date.now()
  const late = await traffic.stop()
  const submits = await simulator.submits(down, '')
  const sends = judgeSends(
    submits.filter(({ text }) => text.startsWith('late ')),
    endedAtMs,
    windows.map(({ startedAtMs }) => startedAtMs),
  )
  const heldSends = judgeSends(
    submits.filter(({ text }) => text.startsWith('held ')),
    endedAtMs,
    [],
  )
  return judge({
    posts: { sent, held },
    beforeEnd,
    sends,
    heldSends,
    states: await countByState(db),
    sentTooLate: await countSentTooLate(db),
    windows,
    lateness: {
      before: late(0, beganAtMs),
      during: late(beganAtMs, stepsBeganAtMs),
      steps: late(stepsBeganAtMs, endedAtMs),
      after: late(endedAtMs, recoveredAtMs),
    },
    settings: {
      posts,
      heldShare,
      holdIfLateMinutes,
      postsPerAccount,
      otherPerSecond,
      fsync: true,
      real: `${down} answered every call with 503 for ${Math.round((endedAtMs - beganAtMs) / 1000)} s`,
      simulated: `${simulatedHours} hours: due times, waits and rate windows of ${down} were moved back in PostgreSQL one hour at a time while it was down, so that each post was tried about once an hour instead of every ten minutes; afterwards by ${limit.windowMs / hourMs} hours whenever all remaining posts waited`,
      lateness: `"during" is the first half of the outage; "steps" is the second, in which moving the times writes every post six times and delays the traffic itself, so it is recorded and not judged`,
    },
  })
}

/** Posts on another platform, at a constant rate before, during and after the outage. */
async function startTraffic(
  { db, stack, simulator }: BenchStack,
  { firstDueMs, totalMs }: { firstDueMs: number; totalMs: number },
) {
  const accounts = await connectTo(stack, simulator, {
    workspaceId: stack.info.workspaceId,
    platform: other,
    handle: 'steady',
    count: otherAccounts,
  })
  await simulator.record(true)
  const dueAtMs = (post: number) => firstDueMs + Math.floor((post * 1000) / otherPerSecond)
  await seedPosts(db, {
    workspaceId: stack.info.workspaceId,
    connected: { ...noAccounts(), [other]: accounts },
    posts: Math.round((totalMs / 1000) * otherPerSecond),
    dueAtMs,
    label: 'traffic',
  })
  const numberOf = (text: string) => Number(text.split(' ').at(-1))
  return {
    /** Returns the lateness of the posts that were due between two times. A post that did not arrive counts as late until now. */
    async stop() {
      await sleep(2000)
      const nowMs = Date.now()
      await db.query("update channel set state = 'canceled' where state = 'scheduled' and platform = $1", [other])
      const arrivals = await simulator.arrivals()
      const atByNumber = new Map(
        arrivals.filter(({ platform }) => platform === other).map(({ textPrefix, atMs }) => [numberOf(textPrefix), atMs]),
      )
      return (fromMs: number, toMs: number): Summary => {
        const lateMs: number[] = []
        for (let n = 0; dueAtMs(n) < toMs; n++) {
          if (dueAtMs(n) >= fromMs) lateMs.push((atByNumber.get(n) ?? nowMs) - dueAtMs(n))
        }
        return summarize(lateMs)
      }
    },
  }
}

type Window = { startedAtMs: number; endedAtMs: number; waiting: number }

/** Waits until nothing is left. Whenever all remaining posts wait for the platform's next rate window, that time passes too. */
async function drain({ db }: BenchStack, fromMs: number): Promise<Window[]> {
  const windows: Window[] = []
  const endsAtMs = Date.now() + drainWithinMs
  for (let n = 0, startedAtMs = fromMs; n < windowsMax; n++) {
    const waiting = await waitForSends(db, endsAtMs)
    windows.push({ startedAtMs, endedAtMs: Date.now(), waiting })
    logProgress(`window ${n + 1}: ${Date.now() - startedAtMs} ms, ${waiting} wait for the next`)
    if (waiting === 0 || Date.now() > endsAtMs) break
    // Nothing is being sent now, and the first posts of the next window may be sent before this returns.
    startedAtMs = Date.now()
    await passTime(db, down, limit.windowMs)
  }
  return windows
}

/** Waits until no channel is due soon or being sent, and returns how many wait for longer. */
async function waitForSends(db: pg.Pool, endsAtMs: number): Promise<number> {
  for (;;) {
    const { rows } = await db.query<{ busy: number; waiting: number }>(
      `select count(*) filter (where c.state <> 'scheduled' or c.wake_at < now() + interval '130 seconds')::int as busy,
         count(*) filter (where c.state = 'scheduled')::int as waiting
       from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
       where c.platform = $1 and ${isOutagePost('p')} and c.state in ('scheduled', 'dispatched', 'submitting', 'confirming')`,
      [down],
    )
    const [{ busy, waiting } = { busy: 0, waiting: 0 }] = rows
    if (busy === 0 || Date.now() > endsAtMs) return waiting
    await sleep(500)
  }
}

async function countPublished(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
     where c.platform = $1 and c.state = 'published' and ${isOutagePost('p')}`,
    [down],
  )
  return rows[0]?.count ?? 0
}

/**
 * Posts that were guarded for sending when they were already later than their workspace accepts. A post that was tried before that is not
 * held, because it may be published: a recovery that repeats the call is right.
 */
async function countSentTooLate(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
     where c.platform = $1 and p.text like 'held %' and c.state <> 'draft' and c.late_ms >= $2`,
    [down, holdIfLateMinutes * 60_000],
  )
  return rows[0]?.count ?? 0
}

type StateCount = { label: string; state: string; count: number }

async function countByState(db: pg.Pool): Promise<StateCount[]> {
  const { rows } = await db.query<StateCount>(
    `select split_part(p.text, ' ', 1) as label, c.state, count(*)::int as count
     from channel c join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
     where c.platform = $1 and ${isOutagePost('p')} group by 1, 2 order by 1, 2`,
    [down],
  )
  return rows
}

type Measured = {
  posts: { sent: number; held: number }
  beforeEnd: number
  sends: Sends
  heldSends: Sends
  states: StateCount[]
  sentTooLate: number
  windows: Window[]
  lateness: Record<'before' | 'during' | 'steps' | 'after', Summary>
  settings: Record<string, unknown>
}

function judge({ posts, beforeEnd, sends, heldSends, states, sentTooLate, windows, lateness, settings }: Measured): Outcome {
  const count = (label: string, state: string) => states.find((each) => each.label === label && each.state === state)?.count ?? 0
  const published = count('late', 'published')
  const heldBack = count('held', 'draft')
  const heldPublished = count('held', 'published')
  const unconfirmed = count('late', 'unconfirmed') + count('held', 'unconfirmed')
  const failed = count('late', 'failed') + count('held', 'failed')
  const ended = Math.min(published, sends.created) + heldBack + heldPublished + unconfirmed + failed
  const lost = posts.sent + posts.held - ended
  const rise = round(Math.max(lateness.during.p99, lateness.after.p99) - lateness.before.p99)
  const windowMs = windows.map((each) => each.endedAtMs - each.startedAtMs)
  return {
    figure: `outage: ${posts.sent} posts due, ${published} published in ${windows.length} rate windows (${windowMs.join(', ')} ms), ${heldBack} of ${posts.held} held; lost ${lost}, unconfirmed ${unconfirmed}, failed ${failed}, doubled ${sends.doubled + heldSends.doubled}; ${other} late p99 ${lateness.before.p99} ms before, ${lateness.during.p99} during, ${lateness.after.p99} after`,
    goals: [
      atMost('lost', lost, 0),
      atMost('unconfirmed or failed', unconfirmed + failed, 0),
      atMost('doubled', sends.doubled + heldSends.doubled, 0),
      atMost('published while the platform was down', beforeEnd, 0),
      atMost('first tried when their workspace wanted to hold them', sentTooLate, 0),
      atMost('refused by the platform after the outage', sends.refusedAfter + heldSends.refusedAfter, 0),
      atMost('posts of one account in one rate window', sends.perAccountMax, limit.posts),
      atMost(`rise of the p99 lateness on ${other} (ms)`, rise, lateRiseMsMax),
    ],
    settings,
    data: { posts, sends, heldSends, sentTooLate, states, windows, lateness },
  }
}
