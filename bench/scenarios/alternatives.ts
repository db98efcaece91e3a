import { setTimeout as sleep } from 'node:timers/promises'
import type { Bare } from '../bare/bare-worker.ts'
import { startBareEngine } from '../bare/start-engine.ts'
import { startBareQueue } from '../bare/start-queue.ts'
import { bareCall } from '../bare/calls.ts'
import { measureBareRound, prepareCalls, type BareRound } from '../burst/bare-round.ts'
import { dueAfter, pidsOf, type BareContext } from '../burst/burst-context.ts'
import { latenessOf, type Lateness } from '../burst/lateness.ts'
import { logProgress } from '../log-progress.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { startBenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { platforms } from '../setup/simulator.ts'
import { waitEngineIdle } from '../setup/wait-engine-idle.ts'
import { median, round } from '../stats.ts'

const names = ['restate', 'graphile-worker', 'pg-boss'] as const
type Name = (typeof names)[number]
type Steady = { lateness: Lateness; missing: number; cpu: Cpu }
type Killed = { calls: number; sent: number; repeated: number; resumedAfterMs: number | null }
type Side = { ones: BareRound[]; many: BareRound[]; steady?: Steady; killed?: Killed }

const latencyMs = 2000
const killedCalls = 1000

/**
 * The same calls through three engines without the service: a burst that is due in one second, a constant load, and a worker that is killed while
 * calls are under way. It shows what each engine costs, and what it does by itself after a crash. None of them is compared with the service.
 */
export async function alternatives({
  channels = 10_000,
  rounds = 3,
  seconds = 60,
  perSecond = 50,
  leadSeconds = 20,
  accounts = 500,
  short,
}: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack } = bench
  const connected = await connectAccounts(stack, bench.simulator, accounts)
  const start: Record<Name, () => Promise<Bare>> = {
    restate: () => startBareEngine(stack),
    'graphile-worker': () => startBareQueue(stack, 'graphile-worker'),
    'pg-boss': () => startBareQueue(stack, 'pg-boss'),
  }
  const base = { bench, connected, posts: Math.ceil(channels / platforms.length), leadMs: leadSeconds * 1000 }
  const sides: Record<Name, Side> = {
    restate: { ones: [], many: [] },
    'graphile-worker': { ones: [], many: [] },
    'pg-boss': { ones: [], many: [] },
  }
  const measure = async (name: Name, work: (context: BareContext, side: Side) => Promise<void>) => {
    const bare = await start[name]()
    try {
      await work({ ...base, bare }, sides[name])
    } finally {
      await bare.stop()
      await waitEngineIdle(stack.info.restateAdminUrl, 30_000)
    }
  }
  for (let n = 1; n <= rounds; n++)
    for (const name of names)
      await measure(name, async (context, { ones, many }) => {
        const warm = { ...context, posts: Math.ceil(context.posts / 10), leadMs: short ? 3000 : 6000 }
        await measureBareRound(warm, 'one', `warm ${name} ${n}`)
        ones.push(logRound(`${name}, one a job ${n}`, await measureBareRound(context, 'one', `one ${name} ${n}`)))
        many.push(logRound(`${name}, fifty a job ${n}`, await measureBareRound(context, 'many', `many ${name} ${n}`)))
      })
  for (const name of names)
    await measure(name, async (context, side) => {
      side.steady = await measureSteady(context, { name, seconds, perSecond })
      const { p50, p99 } = side.steady.lateness.all
      logProgress(`${name}, steady: late p50 ${p50} p99 ${p99} ms; CPU ms ${JSON.stringify(side.steady.cpu)}`)
    })
  for (const name of names)
    await measure(name, async (context, side) => {
      side.killed = await measureKill(context, { name, watchMs: short ? 8000 : 60_000 })
      logProgress(`${name}, worker killed: ${JSON.stringify(side.killed)}`)
    })
  return judge(sides, { channels, rounds, seconds, perSecond, accounts, fsync: true })
}

function logRound(name: string, made: BareRound): BareRound {
  const busy = Object.entries(made.cpu).map(([who, ms]) => `${who} ${ms}`)
  logProgress(
    `${name}: ${made.drainMs} ms; late p99 ${made.lateness.all.p99}; refused ${made.refused}; CPU ms ${busy.join(', ')}`,
  )
  return made
}

async function measureSteady(
  context: BareContext,
  { name, seconds, perSecond }: { name: Name; seconds: number; perSecond: number },
): Promise<Steady> {
  const { bench, bare } = context
  const posts = Math.round((seconds * perSecond) / platforms.length)
  const calls = await prepareCalls({ ...context, posts }, `steady ${name}`)
  await bench.simulator.clearPosts()
  await bench.simulator.record(true)
  await bare.reset()
  const firstDueMs = dueAfter(context.leadMs)
  const dueAtMs = (post: number) => firstDueMs + Math.floor((post * 1000 * platforms.length) / perSecond)
  for (let post = 0; post < posts; post++)
    await bare.scheduleOnes(
      calls.flatMap((list) => list[post] ?? []),
      dueAtMs(post),
    )
  if (Date.now() > firstDueMs) throw new Error('the steady load was not enqueued in time; use a longer --lead')
  await sleep(firstDueMs - Date.now())
  const before = readCpu(pidsOf(context))
  const { answered } = await bare.waitAnswered(posts * platforms.length, seconds * 1000 + 30_000)
  const cpu = cpuBetween(before, readCpu(pidsOf(context)))
  // The text of a post ends with its number.
  const lateness = latenessOf(await bench.simulator.arrivals(), ({ textPrefix }) => dueAtMs(Number(textPrefix.split(' ').at(-1))))
  return { lateness, missing: posts * platforms.length - answered, cpu }
}

/** Kills the worker one second after the calls fell due, starts it again at once, and watches what becomes of the calls. */
async function measureKill(context: BareContext, { name, watchMs }: { name: Name; watchMs: number }): Promise<Killed> {
  const { bench, bare, connected } = context
  const { simulator } = bench
  const label = `killed ${name}`
  const calls = Array.from({ length: killedCalls }, (_, n) => {
    const account = connected.bluesky[n % connected.bluesky.length]
    if (!account) throw new Error('no account on bluesky')
    return bareCall(account, `${label} ${n}`, Date.now(), '')
  })
  await simulator.clearPosts()
  await simulator.settings({ platform: 'bluesky', latencyMs })
  try {
    const dueAtMs = dueAfter(context.leadMs)
    await bare.scheduleOnes(calls, dueAtMs)
    await sleep(Math.max(0, dueAtMs + 1000 - Date.now()))
    await bare.killAndRestart()
    const restartedAtMs = Date.now()
    await sleep(watchMs)
    const submits = await simulator.submits('bluesky', label)
    const sent = new Set(submits.map(({ text }) => text)).size
    const later = submits.map(({ atMs }) => atMs - restartedAtMs).filter((ms) => ms > 0)
    return {
      calls: calls.length,
      sent,
      repeated: submits.length - sent,
      resumedAfterMs: later.length > 0 ? Math.min(...later) : null,
    }
  } finally {
    await simulator.settings({ platform: 'bluesky', latencyMs: 0 })
  }
}

function judge(sides: Record<Name, Side>, settings: Record<string, unknown>): Outcome {
  const drain = (all: readonly BareRound[]) => round(median(all.map(({ drainMs }) => drainMs)))
  const lines = names.map((name) => {
    const { ones, many, steady, killed } = sides[name]
    return `${name} ${drain(ones)} ms one a job, ${drain(many)} fifty a job, steady p99 ${steady?.lateness.all.p99} ms, after a kill ${killed?.sent} of ${killed?.calls} sent, ${killed?.repeated} twice`
  })
  const all = names.map((name) => sides[name])
  const refused = all.flatMap(({ ones, many }) => [...ones, ...many]).reduce((sum, made) => sum + made.refused, 0)
  const missing = all.reduce((sum, { steady }) => sum + (steady?.missing ?? 0), 0)
  const early = all.reduce((sum, { steady }) => sum + (steady?.lateness.early ?? 0), 0)
  return {
    figure: `alternatives: ${lines.join('; ')}`,
    // The comparison is fair only if every side made the same calls.
    goals: [
      atMost('calls refused', refused, 0),
      atMost('calls of the steady load not made', missing, 0),
      atMost('sent early', early, 0),
    ],
    settings,
    data: sides,
  }
}
