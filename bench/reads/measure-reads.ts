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
/** A read that has no goal is measured in every eighth round only. */
const unjudgedRoundStep = 8

type Side = Load & { cpu: Cpu }
export type Round = { api: Side; bare: Side }
export type Measured = { name: string; growthMax: number | null; statements: number; rounds: Round[]; drift: Drift }

type Options = { bench: BenchStack; bare: BareReads; rounds: number; seconds: number; warmUpSeconds: number }

/** Measures each read through the API and with its bare SQL in turn, so that changes of the machine's speed affect both. */
export async function measureReads(readCases: readonly ReadCase[], options: Options): Promise<Measured[]> {
  const { bench, bare, warmUpSeconds } = options
  const captured = await captureAll(bench, readCases)
  const measured: Measured[] = []
  for (const readCase of readCases) {
    const transactions = captured.get(readCase) ?? []
    const api = (seconds: number) => loadApi(bench, readCase, seconds)
    const sql = (seconds: number) => bare.run(seconds, transactions)
    const drift = await findDrift(bench.db, { api: () => api(warmUpSeconds), bare: () => sql(warmUpSeconds) })
    const rounds: Round[] = []
    for (let n = 0; n < options.rounds; n += readCase.growthMax === null ? unjudgedRoundStep : 1)
      rounds.push({ api: await timed(options, api), bare: await timed(options, sql) })
    const { name, growthMax } = readCase
    measured.push({ name, growthMax, statements: transactions[0]?.length ?? 0, rounds, drift })
    const shown = rounds.map((round) => `${round.api.latency.p50} : ${round.bare.latency.p50}`)
    logProgress(`${name}, API : bare, ms: ${shown.join(', ')}`)
  }
  return measured
}

export function loadApi({ stack, headers }: BenchStack, { paths }: ReadCase, seconds: number): Promise<Load> {
  const loadRequests = paths.map((path) => ({ path }))
  return httpLoad({ baseUrl: stack.info.baseUrl, headers, loadRequests, connections, seconds })
}

async function timed({ bench, bare, seconds }: Options, run: (seconds: number) => Promise<Load>): Promise<Side> {
  const pids = { api: bench.stack.servers.api?.pid ?? 0, postgres: bench.stack.postgres.pid, bare: bare.pid }
  const before = readCpu(pids)
  const load = await run(seconds)
  return { ...load, cpu: cpuBetween(before, readCpu(pids)) }
}

/** Captures the transaction of each path. */
async function captureAll(
  { stack, db, headers }: BenchStack,
  readCases: readonly ReadCase[],
): Promise<Map<ReadCase, SentStatement[][]>> {
  const capture = await startCapture(stack, db)
  const captured = new Map<ReadCase, SentStatement[][]>()
  for (const readCase of readCases) {
    const transactions: SentStatement[][] = []
    for (const path of readCase.paths)
      transactions.push(await capture.during(() => requestJson(`${stack.info.baseUrl}${path}`, { headers })))
    captured.set(readCase, transactions)
  }
  await capture.stop()
  return captured
}
