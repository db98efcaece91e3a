import { join } from 'node:path'
import { startBareReads } from '../bare/start-reads.ts'
import { startProfile } from '../measure/profile.ts'
import type { Options } from '../options.ts'
import { judgeReads, type Phase } from '../reads/judge-reads.ts'
import { connections, loadApi, measureReads } from '../reads/measure-reads.ts'
import { planReadCases, type ReadCase } from '../reads/read-cases.ts'
import { runsDir, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { seedHistory, vacuumHistory } from '../setup/seed-history.ts'
import { platforms } from '../setup/simulator.ts'

const accounts = 3
const profileSeconds = 5
/** Filling and indexing more of them would take most of the time of a large run. */
const otherPostsMax = 1_000_000

/** The time of reads compared with their SQL alone, and with many posts in the workspace compared with ten thousand. */
export async function reads({
  posts = 1_000_000,
  rounds = 40,
  seconds = 0.2,
  short,
  profile,
  explain,
}: Options): Promise<Outcome> {
  const few = short ? 1000 : 10_000
  await using bench = await startBenchStack({ explain })
  const { stack, db, simulator } = bench
  const { workspaceId, otherWorkspaceId } = stack.info
  const connected = await connectAccounts(stack, simulator, accounts)
  const targets = Array.from({ length: accounts }, (_, at) => platforms.flatMap((name) => connected[name][at] ?? [])).flat()
  // The worker is stopped, because its work on these posts would slow down what is measured.
  await stack.servers.worker?.stop()
  const bare = await startBareReads(stack, connections)
  const measure = async (count: number): Promise<Phase> => {
    await vacuumHistory(db)
    const readCases = await planReadCases(db, workspaceId, count)
    const measured = await measureReads(readCases, { bench, bare, rounds, seconds, warmUpSeconds: short ? 0.2 : 2 })
    if (profile) await profileJudged(bench, readCases, count)
    return { posts: count, measured }
  }
  // Another workspace has many posts too, because the time of a read must not depend on them.
  const seed = async (from: number, count: number) => {
    const others = Math.min(count, otherPostsMax)
    logProgress(`filling a workspace with ${count} posts, and another one with ${others}`)
    await seedHistory(db, [
      { workspaceId, targets, from, count },
      { workspaceId: otherWorkspaceId, targets, from, count: others },
    ])
  }
  try {
    await seed(0, few)
    const small = await measure(few)
    await seed(few, posts - few)
    const large = await measure(posts)
    return {
      ...judgeReads(small, large),
      settings: {
        posts,
        otherPosts: Math.min(posts, otherPostsMax),
        few,
        rounds,
        seconds,
        connections,
        channelsPerPost: 3,
        fsync: true,
      },
    }
  } finally {
    await bare.stop()
  }
}

/** Profiles separate rounds, because profiling makes the process slower. */
async function profileJudged(bench: BenchStack, readCases: readonly ReadCase[], posts: number): Promise<void> {
  for (const readCase of readCases.filter(({ growthMax }) => growthMax !== null)) {
    const profiling = await startProfile(bench.stack.servers.api?.pid ?? 0, bench.inspectPort)
    await loadApi(bench, readCase, profileSeconds)
    const file = join(runsDir, `reads-${readCase.name.replaceAll(' ', '-')}-${posts}.cpuprofile`)
    const { busyMs, self, byPlace } = await profiling.stop(file)
    logProgress(
      `${readCase.name}: busy ${busyMs} ms; ${JSON.stringify(byPlace.slice(0, 12))}; ${JSON.stringify(self.slice(0, 25))}`,
    )
  }
}
