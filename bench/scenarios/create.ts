import { join } from 'node:path'
import { startBareCreate } from '../bare/start-create.ts'
import { httpLoad, type Load } from '../load/http-load.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { startProfile, type ProfileSummary } from '../measure/profile.ts'
import { resetStatements, statementsOf } from '../measure/statements.ts'
import type { Options } from '../options.ts'
import { atLeast, atMost, resultsDir, type Outcome } from '../results.ts'
import { say } from '../say.ts'
import { median, round } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../world/bench-stack.ts'
import { connectAccounts } from '../world/connect-accounts.ts'

const connections = 16
const warmUpSeconds = 4
const goal = 0.7

type Round = Load & { cpu: Cpu }
type Runner = { name: 'api' | 'bare'; run(seconds: number): Promise<Load> }

/** How near the API comes to a script that only runs its SQL: rounds of one and the other in turn, on the same database. */
export async function create({ rounds = 5, seconds = 5, profile }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack, simulator, headers, db } = bench
  const connected = await connectAccounts(stack, simulator, 1)
  const slugs = [connected.bluesky, connected.mastodon, connected.x].flatMap(([first]) => first?.slug ?? [])
  const bare = await startBareCreate(stack, { slugs, connections })
  const url = `${stack.info.baseUrl}/content/text`
  const scheduledAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const body = JSON.stringify({ text: 'A post.', connections: slugs, async: true, scheduledAt })
  const runners: Runner[] = [
    { name: 'api', run: (span) => httpLoad({ url, headers, body, connections, seconds: span }) },
    { name: 'bare', run: (span) => bare.run(span, 'later') },
  ]
  const pids = {
    api: stack.servers.api?.pid ?? 0,
    worker: stack.servers.worker?.pid ?? 0,
    postgres: stack.postgres.pid,
    bare: bare.pid,
  }
  try {
    const drift = await warmUp(db, runners)
    const made: Record<Runner['name'], Round[]> = { api: [], bare: [] }
    for (let n = 0; n < rounds; n++) {
      for (const { name, run } of runners) {
        const before = readCpu(pids)
        const load = await run(seconds)
        const cpu = cpuBetween(before, readCpu(pids))
        made[name].push({ ...load, cpu })
        say(
          `${name}: ${round(load.perSecond)} a second, p50 ${load.latency.p50}, p99 ${load.latency.p99}; CPU ms ${JSON.stringify(cpu)}`,
        )
      }
    }
    const profiled = profile ? await profileApi(bench, runners) : undefined
    return judge(made, drift, { rounds, seconds, connections, fsync: true }, profiled)
  } finally {
    await bare.stop()
  }
}

/** A round of its own: a process that is being watched is slower. */
async function profileApi(bench: BenchStack, runners: readonly Runner[]): Promise<ProfileSummary> {
  const profiling = await startProfile(bench.stack.servers.api?.pid ?? 0, bench.inspectPort)
  await runners[0]?.run(5)
  return profiling.stop(join(resultsDir, 'create-api.cpuprofile'))
}

type Drift = { onlyApi: string[]; onlyBare: string[] }

/** Warms both up, and lets PostgreSQL say whether both use the same statements: a comparison with other SQL would mean nothing. */
async function warmUp(db: BenchStack['db'], runners: readonly Runner[]): Promise<Drift> {
  const seen: Map<string, string>[] = []
  for (const { run } of runners) {
    await resetStatements(db)
    await run(warmUpSeconds)
    seen.push(await statementsOf(db, 'carillon_app'))
  }
  const [api = new Map<string, string>(), bare = new Map<string, string>()] = seen
  const without = (list: Map<string, string>, other: Map<string, string>) =>
    [...list].filter(([id]) => !other.has(id)).map(([, query]) => query)
  return { onlyApi: without(api, bare), onlyBare: without(bare, api) }
}

function judge(
  made: Record<Runner['name'], Round[]>,
  drift: Drift,
  settings: Record<string, unknown>,
  profile?: ProfileSummary,
): Outcome {
  const [api, bare] = [rateOf(made.api), rateOf(made.bare)]
  const ratio = round(api / bare)
  const refused = made.api.reduce((sum, each) => sum + each.refused, 0)
  for (const query of drift.onlyApi) say(`only the API: ${query}`)
  for (const query of drift.onlyBare) say(`only the bare script: ${query}`)
  return {
    figure: `create: ${ratio} of bare SQL (${Math.round(api)} against ${Math.round(bare)} posts a second)`,
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
