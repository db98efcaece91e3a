import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { dueAfter } from '../burst/burst-context.ts'
import { httpLoad } from '../load/http-load.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import type { Options } from '../options.ts'
import { atLeast, atMost, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { round } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts, type ConnectedByPlatform } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { platforms } from '../setup/simulator.ts'
import { waitSettled } from '../setup/wait-settled.ts'

const connections = 16
const costGoal = 1.05
const drainWithinMs = 120_000
/** Three times as often as our Prometheus does. */
const readEveryMs = 5000

/** One round of one side. `perUnitMs` is processor time of API, worker and PostgreSQL for each post or channel. */
type Round = { perSecond: number; perUnitMs: number; left: number; cpu: Cpu }
type Side = { name: SideName; bench: BenchStack; connected: ConnectedByPlatform }
type SideName = 'off' | 'control' | 'on'
type Rounds = Record<SideName, Round[]>

/**
 * What metrics and traces cost. Three stacks are measured in turn. One sends its traces, those of five in a hundred requests as by default, to a
 * collector, and its metrics are read every few seconds. It is compared with the mean of the two others, which are not watched. How much
 * those two differ from each other is what this machine can tell at all.
 */
export async function watching({ channels = 2000, rounds = 12, seconds = 5, leadSeconds = 8 }: Options): Promise<Outcome> {
  const collector = await startCollector()
  await using plain = await startBenchStack({ name: 'bench-plain', roles: ['api', 'worker'] })
  await using control = await startBenchStack({ name: 'bench-control', roles: ['api', 'worker'] })
  await using watched = await startBenchStack({
    name: 'bench-watched',
    roles: ['api', 'worker'],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  const sides: Side[] = [
    { name: 'off', bench: plain, connected: await connectFor(plain) },
    { name: 'control', bench: control, connected: await connectFor(control) },
    { name: 'on', bench: watched, connected: await connectFor(watched) },
  ]
  let readings = 0
  const timer = setInterval(() => void readMetrics(watched).then((count) => (readings += count)), readEveryMs)
  try {
    for (const side of sides) await measureCreate(side, seconds)
    const create = await inTurn('create', rounds, sides, (side) => measureCreate(side, seconds))
    const burst = await inTurn('burst', rounds, sides, (side, n) =>
      measureBurst(side, { channels, leadMs: leadSeconds * 1000, label: `burst ${n}` }),
    )
    return judge(
      { create, burst, readings, traces: collector.requests() },
      { channels, rounds, seconds, connections, fsync: true },
    )
  } finally {
    clearInterval(timer)
    collector.stop()
  }
}

const connectFor = ({ stack, simulator }: BenchStack) => connectAccounts(stack, simulator, 100)

/** Measures all sides once in each round. The side that begins changes, so that the place in the order is no advantage. */
async function inTurn(
  name: string,
  rounds: number,
  sides: readonly Side[],
  measure: (side: Side, n: number) => Promise<Round>,
): Promise<Rounds> {
  const measured: Rounds = { off: [], control: [], on: [] }
  for (let n = 0; n < rounds; n++) {
    const first = n % sides.length
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) {
      const result = await measure(side, n)
      measured[side.name].push(result)
      logProgress(`${name} ${side.name}: ${JSON.stringify(result)}`)
    }
  }
  return measured
}

async function measureCreate({ bench, connected }: Side, seconds: number): Promise<Round> {
  const { stack, headers } = bench
  const slugs = [connected.bluesky, connected.mastodon, connected.x].flatMap(([first]) => first?.slug ?? [])
  const scheduledAt = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const body = JSON.stringify({ text: 'A post.', connections: slugs, async: true, scheduledAt })
  const before = readCpu(pidsOf(bench))
  const { perSecond, count, refused } = await httpLoad({
    baseUrl: stack.info.baseUrl,
    headers,
    loadRequests: [{ path: '/content/text', body }],
    connections,
    seconds,
    withKeys: true,
  })
  const cpu = cpuBetween(before, readCpu(pidsOf(bench)))
  return { perSecond: round(perSecond), perUnitMs: perUnit(cpu, count), left: refused, cpu }
}

type Burst = { channels: number; leadMs: number; label: string }

async function measureBurst({ bench, connected }: Side, { channels, leadMs, label }: Burst): Promise<Round> {
  const { stack, db } = bench
  const posts = Math.ceil(channels / platforms.length)
  const dueAtMs = dueAfter(leadMs)
  await seedPosts(db, { workspaceId: stack.info.workspaceId, connected, posts, dueAtMs: () => dueAtMs, label })
  await sleep(Math.max(0, dueAtMs - Date.now()))
  const before = readCpu(pidsOf(bench))
  const { atMs, left } = await waitSettled(db, { withinMs: drainWithinMs })
  const cpu = cpuBetween(before, readCpu(pidsOf(bench)))
  const sent = posts * platforms.length - left
  return { perSecond: round(sent / ((atMs - dueAtMs) / 1000)), perUnitMs: perUnit(cpu, sent), left, cpu }
}

function pidsOf({ stack }: BenchStack): Record<string, number> {
  return { api: stack.servers.api?.pid ?? 0, worker: stack.servers.worker?.pid ?? 0, postgres: stack.postgres.pid }
}

function perUnit({ api = 0, worker = 0, postgres = 0 }: Cpu, count: number): number {
  return round((api + worker + postgres) / count, 4)
}

type Measured = { create: Rounds; burst: Rounds; readings: number; traces: number }

function judge(measured: Measured, settings: Record<string, unknown>): Outcome {
  const { create, burst, readings, traces } = measured
  const all = [create, burst].flatMap((rounds) => Object.values(rounds).flat())
  return {
    figure: `watching: create takes ${describe(create)}; a burst ${describe(burst)}`,
    goals: [
      atMost('create, processor time against that without', costOf(create), costGoal),
      atMost('burst, processor time against that without', costOf(burst), costGoal),
      atMost(
        'refused or not sent',
        all.reduce((sum, { left }) => sum + left, 0),
        0,
      ),
      atLeast('readings of the metrics', readings, 1),
      atLeast('batches of traces received', traces, 1),
    ],
    settings,
    data: measured,
  }
}

const meanOf = (rounds: readonly Round[], key: 'perUnitMs' | 'perSecond') =>
  rounds.reduce((sum, each) => sum + each[key], 0) / rounds.length

/** A reading falls in some rounds and not in others, so all rounds count and not the one in the middle. */
const costOf = ({ off, control, on }: Rounds) => round(meanOf(on, 'perUnitMs') / meanOf([...off, ...control], 'perUnitMs'), 3)

function describe(rounds: Rounds): string {
  const { off, control, on } = rounds
  const noise = round(meanOf(control, 'perUnitMs') / meanOf(off, 'perUnitMs'), 3)
  const rate = round(meanOf(on, 'perSecond') / meanOf([...off, ...control], 'perSecond'), 3)
  return `${costOf(rounds)} of the processor time without (two equal stacks: ${noise}), at ${rate} of the rate`
}

/** Reads the metrics of API and worker, as Prometheus does. Returns how many there were. */
async function readMetrics({ stack }: BenchStack): Promise<number> {
  const servers = [stack.servers.api, stack.servers.worker].flatMap((server) => server ?? [])
  const texts = await Promise.all(
    servers.map(({ healthUrl }) =>
      fetch(healthUrl.replace(/\/health$/, '/metrics')).then(
        (answer) => answer.text(),
        () => '',
      ),
    ),
  )
  return texts.filter((text) => text.includes('carillon_')).length
}

/** Accepts traces and throws them away. */
async function startCollector() {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, stop: () => void server.close() }
}
