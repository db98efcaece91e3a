import type { BareReads } from '../bare/start-reads.ts'
import { requestJson } from '../request-json.ts'
import { httpLoad, type Load } from '../load/http-load.ts'
import { startCapture, type SentStatement } from '../measure/capture.ts'
import { findDrift, type Drift } from '../measure/find-drift.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { logProgress } from '../log-progress.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import type { ReadCase } from './read-cases.ts'

export const connections = 1
const warmUpSeconds = 2
/** What is not judged is measured in fewer rounds. */
const unjudgedRoundStep = 8

type Side = Load & { cpu: Cpu }
export type Round = { api: Side; bare: Side }
export type Measured = { name: string; judged: boolean; statements: number; rounds: Round[]; drift: Drift }

type Options = { bench: BenchStack; bare: BareReads; rounds: number; seconds: number }

/** Each reading through the API and by its bare SQL, in turn, so that whatever moves the machine moves both. */
export async function measureReads(readings: readonly ReadCase[], options: Options): Promise<Measured[]> {
  const { bench, bare } = options
  const captured = await captureAll(bench, readings)
  const measured: Measured[] = []
  for (const reading of readings) {
    const transactions = captured.get(reading) ?? []
    const api = (seconds: number) => askApi(bench, reading, seconds)
    const sql = (seconds: number) => bare.run(seconds, transactions)
    const drift = await findDrift(bench.db, { api: () => api(warmUpSeconds), bare: () => sql(warmUpSeconds) })
    const rounds: Round[] = []
    for (let n = 0; n < options.rounds; n += reading.isJudged ? 1 : unjudgedRoundStep)
      rounds.push({ api: await timed(options, api), bare: await timed(options, sql) })
    const { name, isJudged: judged } = reading
    measured.push({ name, judged, statements: transactions[0]?.length ?? 0, rounds, drift })
    const shown = rounds.map((round) => `${round.api.latency.p50} : ${round.bare.latency.p50}`)
    logProgress(`${name}, API : bare, ms: ${shown.join(', ')}`)
  }
  return measured
}

export function askApi({ stack, headers }: BenchStack, { paths }: ReadCase, seconds: number): Promise<Load> {
  const asks = paths.map((path) => ({ path }))
  return httpLoad({ baseUrl: stack.info.baseUrl, headers, asks, connections, seconds })
}

async function timed({ bench, bare, seconds }: Options, run: (seconds: number) => Promise<Load>): Promise<Side> {
  const pids = { api: bench.stack.servers.api?.pid ?? 0, postgres: bench.stack.postgres.pid, bare: bare.pid }
  const before = readCpu(pids)
  const load = await run(seconds)
  return { ...load, cpu: cpuBetween(before, readCpu(pids)) }
}

/** The transaction behind each path. */
async function captureAll(
  { stack, db, headers }: BenchStack,
  readings: readonly ReadCase[],
): Promise<Map<ReadCase, SentStatement[][]>> {
  const capture = await startCapture(stack, db)
  const captured = new Map<ReadCase, SentStatement[][]>()
  for (const reading of readings) {
    const transactions: SentStatement[][] = []
    for (const path of reading.paths)
      transactions.push(await capture.during(() => requestJson(`${stack.info.baseUrl}${path}`, { headers })))
    captured.set(reading, transactions)
  }
  await capture.stop()
  return captured
}
