import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { dueAfter } from '../burst/burst-context.ts'
import { httpLoad } from '../load/http-load.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import type { Options } from '../options.ts'
import { atLeast, atMost, type Outcome } from '../results.ts'
import { logProgress } from '../log-progress.ts'
import { median, round } from '../stats.ts'
import { startBenchStack, type BenchStack } from '../setup/bench-stack.ts'
import { connectAccounts, type ConnectedByPlatform } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { platforms } from '../setup/simulator.ts'
import { waitSettled } from '../setup/wait-settled.ts'

const connections = 16
const scrapeEveryMs = 1000
const costGoal = 1.05
const drainWithinMs = 120_000

/** One side of the comparison. `perUnitMs` is processor time of API and worker for each post or channel. */
type Round = { perSecond: number; perUnitMs: number; left: number; cpu: Cpu }
type Side = { bench: BenchStack; connected: ConnectedByPlatform }
type Sides = Record<'off' | 'on', Round[]>

/**
 * What metrics and traces cost. Two stacks are measured in turn. Nothing is read from the one; the other sends its traces, those of five in a
 * hundred requests as by default, to a collector, and its metrics are read every second, which is fifteen times as often as usual.
 */
export async function watching({ channels = 4000, rounds = 6, seconds = 5, leadSeconds = 20 }: Options): Promise<Outcome> {
  const collector = await startCollector()
  await using plain = await startBenchStack({ name: 'bench-plain', roles: ['api', 'worker'] })
  await using watched = await startBenchStack({
    name: 'bench-watched',
    roles: ['api', 'worker'],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  const sides = [
    { name: 'off', bench: plain, connected: await connectAccounts(plain.stack, plain.simulator, 100) },
    { name: 'on', bench: watched, connected: await connectAccounts(watched.stack, watched.simulator, 100) },
  ] as const
  const stopScraping = scrape(watched)
  try {
    const create: Sides = { off: [], on: [] }
    const burst: Sides = { off: [], on: [] }
    for (const side of sides) await measureCreate(side, 2)
    for (let n = 0; n < rounds; n++) {
      // The side that begins changes, so that the place in the order is no advantage.
      for (const side of n % 2 === 0 ? sides : sides.toReversed()) {
        create[side.name].push(await measureCreate(side, seconds))
        logProgress(`create ${side.name}: ${JSON.stringify(create[side.name].at(-1))}`)
      }
    }
    for (let n = 0; n < Math.ceil(rounds / 2); n++) {
      for (const side of n % 2 === 0 ? sides : sides.toReversed()) {
        burst[side.name].push(await measureBurst(side, { channels, leadMs: leadSeconds * 1000, label: `burst ${n}` }))
        logProgress(`burst ${side.name}: ${JSON.stringify(burst[side.name].at(-1))}`)
      }
    }
    return judge({ create, burst }, collector.requests(), { channels, rounds, seconds, connections, scrapeEveryMs, fsync: true })
  } finally {
    stopScraping()
    collector.stop()
  }
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

function judge(measured: { create: Sides; burst: Sides }, received: number, settings: Record<string, unknown>): Outcome {
  const cost = ({ off, on }: Sides) => round(median(on.map((each, n) => each.perUnitMs / (off[n]?.perUnitMs ?? Number.NaN))), 3)
  const speed = ({ off, on }: Sides) => round(median(on.map((each, n) => each.perSecond / (off[n]?.perSecond ?? Number.NaN))), 3)
  const all = [measured.create, measured.burst].flatMap(({ off, on }) => [...off, ...on])
  const { create, burst } = measured
  return {
    figure: `watching: create takes ${cost(create)} of the processor time without metrics and traces, at ${speed(create)} of the rate; a burst ${cost(burst)}, at ${speed(burst)}`,
    goals: [
      atMost('create, processor time against that without', cost(create), costGoal),
      atMost('burst, processor time against that without', cost(burst), costGoal),
      atMost(
        'refused or not sent',
        all.reduce((sum, { left }) => sum + left, 0),
        0,
      ),
      atLeast('batches of traces received', received, 1),
    ],
    settings,
    data: { ...measured, received },
  }
}

/** Reads the metrics of API and worker, as Prometheus does. Returns how to stop. */
function scrape({ stack }: BenchStack): () => void {
  const urls = [stack.servers.api, stack.servers.worker].flatMap((server) =>
    server ? [server.healthUrl.replace(/\/health$/, '/metrics')] : [],
  )
  const timer = setInterval(() => {
    for (const url of urls)
      void fetch(url).then(
        (answer) => answer.text(),
        () => '',
      )
  }, scrapeEveryMs)
  return () => clearInterval(timer)
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
