import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes, type Carillon } from '@carillon/stack/services'
import { readCpu } from '../measure/processes.ts'
import { countCalls, resetStatements } from '../measure/statements.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { median, round } from '../stats.ts'
import { startBenchStack } from '../setup/bench-stack.ts'

const megabyte = 1_000_000

type Start = { seconds: number; processorSeconds: number }

/** Long enough for the chores that run every 30 seconds. */
const countedMs = 120_000
const countedMsShort = 5_000

/**
 * A small install without load: the memory of one server process, PostgreSQL with all of its processes, and Restate, how many SQL statements
 * a minute it runs, and how long the server takes from its start until it is healthy.
 */
export async function idle({ seconds = 60, rounds = 3, short }: Options): Promise<Outcome> {
  await using bench = await startBenchStack({ roles: ['all'] })
  const { stack } = bench
  const server = stack.servers.all
  if (!server) throw new Error('the stack of the scenario has no server')
  await sleep(seconds * 1000)
  const parts = {
    server: memoryBytes(server.pid) / megabyte,
    postgres: memoryBytes(stack.postgres.pid) / megabyte,
    restate: memoryBytes(stack.restate.pid) / megabyte,
  }
  const total = round(parts.server + parts.postgres + parts.restate, 0)
  const forMs = short ? countedMsShort : countedMs
  await resetStatements(bench.db)
  await sleep(forMs)
  const calls = await countCalls(bench.db, 'carillon')
  const statements = round((calls.reduce((sum, each) => sum + each.calls, 0) * 60_000) / forMs, 0)
  // The first start also registered the worker with the engine. A restart is what an upgrade is.
  const starts: Start[] = []
  for (let index = 0; index < rounds; index++) starts.push(await measureStart(server))
  const startSeconds = round(median(starts.map((start) => start.seconds)), 1)
  const processorSeconds = round(median(starts.map((start) => start.processorSeconds)), 1)
  const figures = Object.entries(parts).map(([name, size]) => `${name} ${round(size, 0)}`)
  return {
    figure: `idle: ${total} MB (${figures.join(', ')}) after ${seconds} s; ${statements} statements a minute; healthy ${startSeconds} s after the start (${processorSeconds} s of a processor)`,
    goals: [
      atMost('memory of the whole stack (MB)', total, 1000),
      // Other work on the machine makes the start longer, but hardly changes the time of the processor.
      atMost('processor time from the start to healthy (s)', processorSeconds, 10),
    ],
    settings: { seconds, rounds, fsync: true, counted: 'proportional set size' },
    data: { parts, starts, calls: calls.slice(0, 60) },
  }
}

/** Healthy means: it accepts requests, its health check says that posts are sent, and the engine knows it. */
async function measureStart(server: Carillon): Promise<Start> {
  await server.stop()
  const begin = performance.now()
  await server.restart()
  const seconds = (performance.now() - begin) / 1000
  return { seconds, processorSeconds: (readCpu({ server: server.pid })['server'] ?? 0) / 1000 }
}
