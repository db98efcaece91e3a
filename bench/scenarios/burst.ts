import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBareEngine } from '../bare/start-engine.ts'
import { measureBareRound, type BareRound } from '../burst/bare-round.ts'
import { countOf, measureOurRound, type OurRound } from '../burst/our-round.ts'
import type { BurstContext } from '../burst/burst-context.ts'
import { startProbe, type ProbeSample } from '../measure/probe.ts'
import type { Options } from '../options.ts'
import { atMost, resultsDir, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { median, round, summarize } from '../stats.ts'
import { startBenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { platforms, type Platform } from '../setup/simulator.ts'
import { waitEngineIdle } from '../setup/wait-engine-idle.ts'

const slow: Platform = 'mastodon'
const probePerSecond = 40
const quietMs = 15_000
const engineIdleWithinMs = 90_000

/** Ten thousand channels due in one second, compared in the same run with the engine alone: one and fifty channels per engine run. */
export async function burst({
  channels = 10_000,
  rounds = 3,
  leadSeconds = 45,
  accounts,
  profile,
  slowRound,
  explain,
}: Options): Promise<Outcome> {
  await using bench = await startBenchStack({ explain })
  const { stack, simulator, headers } = bench
  const posts = Math.ceil(channels / platforms.length)
  const perPlatform = accounts ?? posts
  logProgress(`connecting ${perPlatform} accounts on each of ${platforms.length} platforms`)
  const connected = await connectAccounts(stack, simulator, perPlatform)
  const bare = await startBareEngine(stack)
  const context: BurstContext = { bench, connected, bare, posts, leadMs: leadSeconds * 1000 }
  const probe = await startProbe({
    baseUrl: stack.info.baseUrl,
    headers,
    connections: platforms.slice(0, 3).flatMap((platform) => connected[platform][0]?.slug ?? []),
    perSecond: probePerSecond,
  })
  try {
    logProgress('warming up')
    await measureOurRound({ ...context, posts: Math.ceil(posts / 10), leadMs: 8000 }, { label: 'warm' })
    await measureBareRound({ ...context, posts: Math.ceil(posts / 10), leadMs: 8000 }, 'one', 'warm one')
    const quietFromMs = Date.now()
    await sleep(quietMs)
    const quiet = probe.between(quietFromMs, Date.now())

    const leftOpen: number[] = []
    const waitForIdleEngine = async () => void leftOpen.push(await waitEngineIdle(stack.info.restateAdminUrl, engineIdleWithinMs))
    const ours: OurRound[] = []
    const ones: BareRound[] = []
    const many: BareRound[] = []
    for (let n = 1; n <= rounds; n++) {
      ours.push(
        logRound(
          `ours ${n}`,
          await measureOurRound(context, {
            label: `ours ${n}`,
            ...(profile && n === rounds && { profileTo: join(resultsDir, 'burst-worker.cpuprofile') }),
          }),
        ),
      )
      await waitForIdleEngine()
      ones.push(logRound(`bare, one a run ${n}`, await measureBareRound(context, 'one', `one ${n}`)))
      await waitForIdleEngine()
      many.push(logRound(`bare, fifty a run ${n}`, await measureBareRound(context, 'many', `many ${n}`)))
      await waitForIdleEngine()
    }
    const slowed = slowRound
      ? logRound('ours, one platform slow', await measureOurRound(context, { label: 'slow', slow }))
      : undefined
    const during = ours.flatMap(({ dueAtMs, endedAtMs }) => probe.between(dueAtMs, endedAtMs))
    return judge({
      leftOpen,
      ours,
      ones,
      many,
      slowed,
      quiet,
      during,
      posts,
      settings: { channels, rounds, leadSeconds, accounts: perPlatform, fsync: true },
    })
  } finally {
    await probe.stop()
    await bare.stop()
  }
}

function logRound<T extends OurRound | BareRound>(name: string, made: T): T {
  const { drainMs, lateness, cpu } = made
  const busy = Object.entries(cpu).map(([who, ms]) => `${who} ${ms}`)
  const states =
    'states' in made
      ? ` left ${made.left} ${made.states.map((s) => `${s.platform}/${s.state} ${s.count}`).join(' ')} unready ${JSON.stringify(made.readiness)}`
      : ` refused ${made.refused}`
  logProgress(
    `${name}: ${drainMs} ms; late p50 ${lateness.all.p50} p99 ${lateness.all.p99} max ${lateness.all.max}; early ${lateness.early}; CPU ms ${busy.join(', ')};${states}`,
  )
  return made
}

type Measured = {
  /** Engine runs that were still open before each round. A round is only valid with none. */
  leftOpen: number[]
  ours: OurRound[]
  ones: BareRound[]
  many: BareRound[]
  slowed: OurRound | undefined
  quiet: ProbeSample[]
  during: ProbeSample[]
  posts: number
  settings: Record<string, unknown>
}

function judge({ leftOpen, ours, ones, many, slowed, quiet, during, posts, settings }: Measured): Outcome {
  const drain = (rounds: readonly { drainMs: number }[]) => median(rounds.map(({ drainMs }) => drainMs))
  const [our, one, fifty] = [drain(ours), drain(ones), drain(many)]
  const early = [...ours, ...(slowed ? [slowed] : [])].reduce((sum, { lateness }) => sum + lateness.early, 0)
  const unpublished = ours.reduce((sum, { states }) => sum + posts * platforms.length - countOf(states, 'published'), 0)
  const times = (samples: readonly ProbeSample[]) => summarize(samples.map(({ tookMs }) => tookMs))
  const [quietApi, burstApi] = [times(quiet), times(during)]
  const failedProbes = [...quiet, ...during].filter(({ status }) => status === 0 || status >= 300).length
  const goals = [
    atMost('drain against one run a channel', round(our / one), 0.5),
    atMost('drain against fifty a run', round(our / fifty), 2),
    atMost('sent early', early, 0),
    atMost('not published', unpublished, 0),
    atMost('API p99 in the burst against quiet', round(burstApi.p99 / quietApi.p99), 3),
    atMost('API probes failed', failedProbes, 0),
    ...(slowed ? [atMost(`rise of the others' p99 when ${slow} is slow (ms)`, riseOf(ours, slowed), 1000)] : []),
  ]
  return {
    figure: `burst: drain ${our} ms; ${round(our / one)} of one run a channel (${one} ms), ${round(our / fifty)} of fifty a run (${fifty} ms); early ${early}`,
    goals,
    settings,
    data: { leftOpen, ours, ones, many, slowed, api: { quiet: quietApi, burst: burstApi, samples: { quiet, during } } },
  }
}

/** The largest rise of a platform's p99 lateness among those that were not slow. */
function riseOf(ours: readonly OurRound[], slowed: OurRound): number {
  const p99 = (rounds: readonly OurRound[], platform: string) =>
    median(rounds.map(({ lateness }) => lateness.byPlatform[platform]?.p99 ?? 0))
  return Math.max(
    ...platforms.filter((platform) => platform !== slow).map((platform) => p99([slowed], platform) - p99(ours, platform)),
  )
}
