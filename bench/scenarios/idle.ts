import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes } from '@carillon/stack/services'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { round } from '../stats.ts'
import { startBenchStack } from '../setup/bench-stack.ts'

const megabyte = 1_000_000

/** The memory of a small install without load: one server process, PostgreSQL with all of its processes, and Restate. */
export async function idle({ seconds = 60 }: Options): Promise<Outcome> {
  await using bench = await startBenchStack({ roles: ['all'] })
  const { stack } = bench
  await sleep(seconds * 1000)
  const parts = {
    server: memoryBytes(stack.servers.all?.pid ?? 0) / megabyte,
    postgres: memoryBytes(stack.postgres.pid) / megabyte,
    restate: memoryBytes(stack.restate.pid) / megabyte,
  }
  const total = round(parts.server + parts.postgres + parts.restate, 0)
  const figures = Object.entries(parts).map(([name, size]) => `${name} ${round(size, 0)}`)
  return {
    figure: `idle: ${total} MB (${figures.join(', ')}) after ${seconds} s`,
    goals: [atMost('memory of the whole stack (MB)', total, 1000)],
    settings: { seconds, fsync: true, counted: 'proportional set size' },
    data: { parts },
  }
}
