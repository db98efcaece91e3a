import { setTimeout as sleep } from 'node:timers/promises'
import { setUpCrowd } from '../fair/crowd-rounds.ts'
import { logProgress } from '../log-progress.ts'
import type { Options } from '../options.ts'
import { atLeast, atMost, type Outcome } from '../results.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { noAccounts } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { summarize } from '../stats.ts'

const workers = 4
const lateMsMax = 5000
const probeEveryMs = 5000
/** A probe is stored this long before it is due. */
const probeLeadMs = 2000

/** How long the backlog has been due when it is stored. Less than an hour: what is that late may be held by its workspace. */
const overdueMs = 600_000

/** Several workers have a backlog of one workspace that takes them minutes. Another workspace's posts fall due meanwhile, one at a time. */
export async function overdue({ channels = 150_000, posts = 10 }: Options): Promise<Outcome> {
  await using bench = await startBenchStack({ workers })
  const { db, simulator, stack } = bench
  const setup = await setUpCrowd(bench, { channels, rounds: 1, workspaces: 1, leadMs: 0 })
  const [other] = setup.tenants
  if (!other) throw new Error('there is no other workspace')
  await simulator.clearPosts()
  await simulator.record(true)
  logProgress('storing the backlog')
  const dueAtMs = Date.now() - overdueMs
  await seedPosts(db, {
    workspaceId: stack.info.workspaceId,
    connected: setup.crowd,
    posts: setup.crowdPosts,
    dueAtMs: () => dueAtMs,
    label: 'backlog',
  })
  const dueTimes: number[] = []
  const overdueCounts: number[] = []
  for (let n = 0; n < posts; n++) {
    const dueMs = Date.now() + probeLeadMs
    const connected = { ...noAccounts(), [other.platform]: [other.account] }
    await seedPosts(db, { workspaceId: other.workspaceId, connected, posts: 1, dueAtMs: () => dueMs, label: `probe ${n}` })
    dueTimes.push(dueMs)
    overdueCounts.push(await countOverdue(bench))
    await sleep(probeEveryMs)
  }
  await sleep(lateMsMax)
  const arrivals = await simulator.arrivals()
  const sentMs = arrivals.filter(({ handle }) => handle.startsWith('other-')).map(({ atMs }) => atMs)
  const lateMs = sentMs.toSorted((a, b) => a - b).map((atMs, n) => atMs - (dueTimes[n] ?? 0))
  const [first = 0, last = 0] = [overdueCounts[0], overdueCounts.at(-1)]
  const late = summarize(lateMs)
  return {
    figure: `overdue: ${workers} workers with ${first} to ${last} overdue channels of one workspace, another's posts late p50 ${late.p50} max ${late.max} ms`,
    goals: [
      atMost("the other's lateness (ms)", late.max, lateMsMax),
      atMost('sent early', lateMs.filter((ms) => ms < 0).length, 0),
      atMost("the other's posts not sent", posts - lateMs.length, 0),
      // A backlog that was gone by then would prove nothing.
      atLeast('overdue channels when the last post fell due', last, 1),
    ],
    settings: { channels, posts, workers, overdueMs, fsync: true },
    data: { late, lateMs, overdueCounts },
  }
}

/** What is due and has no outcome, wherever it waits: in the schedule or in the engine. */
async function countOverdue({ db }: BenchStack): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from channel where outcome is null and due_at < now()`,
  )
  return rows[0]?.count ?? 0
}
