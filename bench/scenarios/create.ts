import { join } from 'node:path'
import { startBareCreate } from '../bare/start-create.ts'
import { httpLoad, type Load } from '../load/http-load.ts'
import { findDrift, type Drift } from '../measure/find-drift.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { startProfile, type ProfileSummary } from '../measure/profile.ts'
import type { Options } from '../options.ts'
import { atLeast, atMost, runsDir, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { median, round } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'

const connections = 16
const goal = 0.6

type Round = Load & { cpu: Cpu }
type Side = 'api' | 'bare' | 'steps'

/**
 * Compares the API with a script that only runs the same SQL, both with an Idempotency-Key: rounds in turn, on the same database. The
 * script that is judged (`bare`) sends statements together; `steps` waits after each and is only recorded.
 */
export async function create({ rounds = 3, seconds = 5, short, profile }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack, simulator, headers, db } = bench
  const connected = await connectAccounts(stack, simulator, 1)
  const slugs = [connected.bluesky, connected.mastodon, connected.x].flatMap(([first]) => first?.slug ?? [])
  const bare = await startBareCreate(stack, { slugs, connections })
  const { baseUrl } = stack.info
  const scheduledAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const loadRequests = [
    { path: '/content/text', body: JSON.stringify({ text: 'A post.', connections: slugs, async: true, scheduledAt }) },
  ]
  const loadApi = (span: number) => httpLoad({ baseUrl, headers, loadRequests, connections, seconds: span, withKeys: true })
  const runBare = (span: number) => bare.run(span, 'together')
  const runSteps = (span: number) => bare.run(span, 'in steps')
  // Node compiles the code of the API while it runs: after 4 seconds its rate still rose from round to round.
  const warmUpSeconds = short ? 1 : 15
  const pids = {
    api: stack.servers.api?.pid ?? 0,
    worker: stack.servers.worker?.pid ?? 0,
    postgres: stack.postgres.pid,
    bare: bare.pid,
  }
  try {
    const drift = await findDrift(db, { api: () => loadApi(warmUpSeconds), bare: () => runBare(warmUpSeconds) })
    const made: Record<Side, Round[]> = { api: [], bare: [], steps: [] }
    const sides = [
      { name: 'api', run: loadApi },
      { name: 'bare', run: runBare },
      { name: 'steps', run: runSteps },
    ] as const
    for (let n = 0; n < rounds; n++) {
      for (const { name, run } of sides) {
        const before = readCpu(pids)
        const load = await run(seconds)
        const cpu = cpuBetween(before, readCpu(pids))
        made[name].push({ ...load, cpu })
        logProgress(
          `${name}: ${round(load.perSecond)} a second, p50 ${load.latency.p50}, p99 ${load.latency.p99}; CPU ms ${JSON.stringify(cpu)}`,
        )
      }
    }
    const profiled = profile ? await profileApi(bench, () => loadApi(seconds)) : undefined
    return judge(made, drift, { rounds, seconds, connections, idempotencyKeys: true, fsync: true }, profiled)
  } finally {
    await bare.stop()
  }
}

/** Profiles a separate round, because profiling makes the process slower. */
async function profileApi(bench: BenchStack, run: () => Promise<unknown>): Promise<ProfileSummary> {
  const profiling = await startProfile(bench.stack.servers.api?.pid ?? 0, bench.inspectPort)
  await run()
  return profiling.stop(join(runsDir, 'create-api.cpuprofile'))
}

function judge(made: Record<Side, Round[]>, drift: Drift, settings: Record<string, unknown>, profile?: ProfileSummary): Outcome {
  const [api, bare, steps] = [rateOf(made.api), rateOf(made.bare), rateOf(made.steps)]
  const ratio = round(api / bare)
  const refused = made.api.reduce((sum, each) => sum + each.refused, 0)
  return {
    figure: `create: ${ratio} of bare SQL (${Math.round(api)} against ${Math.round(bare)} posts a second); ${round(api / steps)} of bare SQL that waits after each statement (${Math.round(steps)})`,
    goals: [
      atLeast('rate against bare SQL', ratio, goal),
      atMost('requests refused', refused, 0),
      atMost('statements that differ', drift.onlyApi.length + drift.onlyBare.length, 0),
    ],
    settings,
    data: { ...made, drift, ...(profile && { profile }) },
  }
}

function rateOf(rounds: readonly Round[]): number {
  return median(rounds.map(({ perSecond }) => perSecond))
}
