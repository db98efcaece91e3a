import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBareEngine } from '../bare/start-engine.ts'
import { measureBareRound, type BareRound } from '../burst/bare-round.ts'
import { countOf, measureOurRound, type OurRound } from '../burst/our-round.ts'
import type { BurstContext } from '../burst/burst-context.ts'
import { startProbe, type ProbeSample } from '../measure/probe.ts'
import type { Options } from '../options.ts'
import { atMost, runsDir, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { median, round, summarize } from '../stats.ts'
import { startBenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { platforms, type Platform } from '../setup/simulator.ts'
import { startEventReceiver } from '../setup/start-event-receiver.ts'
import { waitEngineIdle } from '../setup/wait-engine-idle.ts'

const slow: Platform = 'mastodon'
const probePerSecond = 40
const engineIdleWithinMs = 90_000
/** What the service allows itself on X in a day (`perApp` of the connector's manifest). Rounds beyond it would wait for the next day. */
const xPostsADay = 10_000

/**
 * Ten thousand channels due in one second, compared in the same run with the engine alone: one and fifty channels per engine run. A webhook
 * is subscribed to all events, so that their processing competes with the sends as in production; the engine alone has no events.
 */
export async function burst({
  channels = 10_000,
  rounds = 3,
  leadSeconds = 45,
  accounts,
  profile,
  slowRound,
  short,
  explain,
}: Options): Promise<Outcome> {
  await using bench = await startBenchStack({ explain })
  const { stack, simulator, headers } = bench
  const posts = Math.ceil(channels / platforms.length)
  const perPlatform = accounts ?? posts
  const warm = { posts: Math.ceil(posts / 10), leadMs: short ? 3000 : 8000 }
  if (warm.posts + posts * rounds > xPostsADay) throw new Error(`more than ${xPostsADay} posts on X in all rounds`)
  logProgress(`connecting ${perPlatform} accounts on each of ${platforms.length} platforms`)
  const connected = await connectAccounts(stack, simulator, perPlatform)
  const bare = await startBareEngine(stack)
  const receiver = await startEventReceiver(stack.info, headers)
  const context: BurstContext = { bench, connected, bare, receiver, posts, leadMs: leadSeconds * 1000 }
  const probe = await startProbe({
    baseUrl: stack.info.baseUrl,
    headers,
    connections: platforms.slice(0, 3).flatMap((platform) => connected[platform][0]?.slug ?? []),
    perSecond: probePerSecond,
  })
  try {
    logProgress('warming up')
    await measureOurRound({ ...context, ...warm }, { label: 'warm' })
    await measureBareRound({ ...context, ...warm }, 'one', 'warm one')
    const quietFromMs = Date.now()
    await sleep(short ? 2000 : 15_000)
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
            ...(profile && n === rounds && { profileTo: join(runsDir, 'burst-worker.cpuprofile') }),
          }),
        ),
      )
      await waitForIdleEngine()
      ones.push(logRound(`bare, one a run ${n}`, await measureBareRound(context, 'one', `one ${n}`)))
      await waitForIdleEngine()
      many.push(logRound(`bare, fifty a run ${n}`, await measureBareRound(context, 'many', `many ${n}`)))
      await waitForIdleEngine()
    }
    // This round is not compared with the engine alone. A fourth burst on one day would exceed what X allows.
    if (slowRound) await bench.db.query("delete from rate_window where key like 'app x%'")
    const slowed = slowRound
      ? logRound('ours, one platform slow', await measureOurRound(context, { label: 'slow', slow }))
      : undefined
    const during = ours.map(({ dueAtMs, endedAtMs }) => probe.between(dueAtMs, endedAtMs))
    const afterwards = ours.map(({ endedAtMs, eventsEndedAtMs }) => probe.between(endedAtMs, eventsEndedAtMs))
    return judge({
      leftOpen,
      ours,
      ones,
      many,
      slowed,
      quiet,
      during,
      afterwards,
      posts,
      settings: {
        channels,
        rounds,
        leadSeconds,
        accounts: perPlatform,
        fsync: true,
        webhook: 'one, subscribed to all events, answers at once',
        emptied: slowRound ? "the service's own limit for X, before the slow round only" : 'nothing',
      },
    })
  } finally {
    await probe.stop()
    await receiver.close()
    await bare.stop()
  }
}

function logRound<T extends OurRound | BareRound>(name: string, made: T): T {
  const { drainMs, lateness, cpu } = made
  const busy = Object.entries(cpu).map(([who, ms]) => `${who} ${ms}`)
  const states =
    'states' in made
      ? ` events after ${made.eventDrainMs} ms ${JSON.stringify(made.events)} left ${made.left} ${made.states.map((s) => `${s.platform}/${s.state} ${s.count}`).join(' ')} unready ${JSON.stringify(made.readiness)}`
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
  /** Of each round: until the channels are settled, and from then until the events are delivered. */
  during: ProbeSample[][]
  afterwards: ProbeSample[][]
  posts: number
  settings: Record<string, unknown>
}

function judge({ leftOpen, ours, ones, many, slowed, quiet, during, afterwards, posts, settings }: Measured): Outcome {
  const drain = (rounds: readonly { drainMs: number }[]) => median(rounds.map(({ drainMs }) => drainMs))
  const [our, one, fifty] = [drain(ours), drain(ones), drain(many)]
  const eventDrain = median(ours.map(({ eventDrainMs }) => eventDrainMs))
  const missing = ours.reduce((sum, { events }) => sum + events.expected - events.received, 0)
  const early = [...ours, ...(slowed ? [slowed] : [])].reduce((sum, { lateness }) => sum + lateness.early, 0)
  const unpublished = ours.reduce((sum, { states }) => sum + posts * platforms.length - countOf(states, 'published'), 0)
  const times = (samples: readonly ProbeSample[]) => summarize(samples.map(({ tookMs }) => tookMs))
  const [quietApi, burstApi, eventsApi] = [times(quiet), times(during.flat()), times(afterwards.flat())]
  const failedProbes = [...quiet, ...during.flat(), ...afterwards.flat()].filter(
    ({ status }) => status === 0 || status >= 300,
  ).length
  const goals = [
    atMost('drain against one run a channel', round(our / one), 0.5),
    atMost('drain against fifty a run', round(our / fifty), 2),
    atMost('sent early', early, 0),
    atMost('not published', unpublished, 0),
    atMost('events not delivered', missing, 0),
    atMost('API p99 in the burst against quiet', round(burstApi.p99 / quietApi.p99), 3),
    atMost('API probes failed', failedProbes, 0),
    ...(slowed ? [atMost(`rise of the others' p99 when ${slow} is slow (ms)`, riseOf(ours, slowed), 1000)] : []),
  ]
  return {
    figure: `burst: drain ${our} ms; ${round(our / one)} of one run a channel (${one} ms), ${round(our / fifty)} of fifty a run (${fifty} ms); events delivered after ${eventDrain} ms; API p99 ${burstApi.p99} ms against ${quietApi.p99} quiet; early ${early}`,
    goals,
    settings,
    data: {
      leftOpen,
      ours,
      ones,
      many,
      slowed,
      api: {
        quiet: quietApi,
        burst: burstApi,
        events: eventsApi,
        burstByRound: during.map(times),
        samples: { quiet: brief(quiet), during: during.map(brief) },
      },
    },
  }
}

/** Milliseconds of each request, without the names that would fill the result file. */
function brief(samples: readonly ProbeSample[]): number[] {
  return samples.map(({ tookMs }) => round(tookMs))
}

/** The largest rise of a platform's p99 lateness among those that were not slow. */
function riseOf(ours: readonly OurRound[], slowed: OurRound): number {
  const p99 = (rounds: readonly OurRound[], platform: string) =>
    median(rounds.map(({ lateness }) => lateness.byPlatform[platform]?.p99 ?? 0))
  return Math.max(
    ...platforms.filter((platform) => platform !== slow).map((platform) => p99([slowed], platform) - p99(ours, platform)),
  )
}
