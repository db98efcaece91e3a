import { setTimeout as sleep } from 'node:timers/promises'
import { claimCost, type ClaimCost } from '../measure/claim-cost.ts'
import { collectGarbage } from '../measure/inspector.ts'
import { rssBytes } from '../measure/processes.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { median, round } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts, type ConnectedByPlatform } from '../setup/connect-accounts.ts'
import { seedPending } from '../setup/seed-pending.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { waitSettled } from '../setup/wait-settled.ts'

const few = 1000
const duePosts = 25
const megabyte = 1_000_000

type Phase = { pending: number; claims: ClaimCost[]; rssMb: number }

/** Scheduled posts must not slow the dispatcher down: compares its claim with a million waiting posts and with a thousand. */
export async function pending({ posts = 1_000_000, rounds = 20, short }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack, db, simulator } = bench
  const connected = await connectAccounts(stack, simulator, duePosts)
  const settleMs = short ? 500 : 10_000
  const target = connected.bluesky[0]
  if (!target) throw new Error('no account')
  const seed = (from: number, count: number) => seedPending(db, { workspaceId: stack.info.workspaceId, target, from, count })

  await measureRound(bench, connected, 'warm')
  await seed(0, few)
  const small = await measure(bench, connected, { waiting: few, rounds, settleMs })
  logProgress(`filling the schedule with ${posts} posts`)
  await seed(few, posts - few)
  const large = await measure(bench, connected, { waiting: posts, rounds, settleMs })

  const cost = ({ claims }: Phase) => median(claims.map(({ ms }) => ms))
  const blocks = ({ claims }: Phase) => median(claims.map((claim) => claim.blocks))
  const ratio = round(cost(large) / cost(small))
  const grownMb = round(large.rssMb - small.rssMb)
  return {
    figure: `pending: a claim costs ${ratio} times as much with ${posts} waiting as with ${few} (${round(cost(large))} against ${round(cost(small))} ms); worker memory ${grownMb} MB more`,
    goals: [
      atMost('claim with all waiting against few', ratio, 1.5),
      atMost('blocks a claim touches, all against few', round(blocks(large) / blocks(small)), 1.5),
      atMost('growth of the worker (MB)', grownMb, 20),
    ],
    settings: { posts, few, rounds, channelsDueEachTime: duePosts * 4, fsync: true },
    data: { small, large },
  }
}

type Measure = { waiting: number; rounds: number; settleMs: number }

async function measure(
  bench: BenchStack,
  connected: ConnectedByPlatform,
  { waiting, rounds, settleMs }: Measure,
): Promise<Phase> {
  // What autovacuum does some minutes after so many rows were inserted. The same for both phases.
  await bench.db.query('vacuum analyze part, post')
  await sleep(settleMs)
  const claims: ClaimCost[] = []
  for (let n = 0; n < rounds; n++) claims.push(await measureRound(bench, connected, `pending ${waiting} ${n}`))
  const pid = bench.stack.servers.worker?.pid ?? 0
  // The claims leave garbage of varying size, which would hide the memory that the waiting posts need.
  await collectGarbage(pid, bench.inspectPort)
  await sleep(settleMs)
  return { pending: waiting, claims, rssMb: rssBytes(pid) / megabyte }
}

/** Makes some channels due, and reads the cost of the worker's own claim from pg_stat_statements. */
async function measureRound({ db, stack }: BenchStack, connected: ConnectedByPlatform, label: string): Promise<ClaimCost> {
  const cost = claimCost(db)
  await cost.begin()
  const dueAtMs = Date.now() + 500
  await seedPosts(db, { workspaceId: stack.info.workspaceId, connected, posts: duePosts, dueAtMs: () => dueAtMs, label })
  await waitSettled(db, { withinMs: 30_000 })
  return cost.end()
}
