import { setTimeout as sleep } from 'node:timers/promises'
import { dueAfter } from '../burst/burst-context.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { logProgress } from '../log-progress.ts'
import { startBenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { platforms } from '../setup/simulator.ts'
import { waitSettled } from '../setup/wait-settled.ts'
import { limitCpu } from './limit-cpu.ts'

export type ScaleRound = { processes: number; perSecond: number; tookMs: number; left: number; cpu: Cpu }

type Options = { channels: number; rounds: number; leadMs: number; share: number; counts: readonly number[] }

const drainWithinMs = 300_000

/** Drains bursts with one worker, then with more, each limited to the same part of a core. */
export async function scaleWorkers({ channels, rounds, leadMs, share, counts }: Options): Promise<ScaleRound[]> {
  const most = Math.max(...counts)
  await using bench = await startBenchStack({ name: 'bench-scale', workers: most })
  const { stack, db, simulator } = bench
  const posts = Math.ceil(channels / platforms.length)
  const connected = await connectAccounts(stack, simulator, Math.min(posts, 500))
  const drain = async (label: string, workerPid: number) => {
    const dueAtMs = dueAfter(leadMs)
    await seedPosts(db, { workspaceId: stack.info.workspaceId, connected, posts, dueAtMs: () => dueAtMs, label })
    await sleep(Math.max(0, dueAtMs - Date.now()))
    const pids = {
      worker: workerPid,
      postgres: stack.postgres.pid,
      restate: stack.restate.pid,
      simulator: stack.simulator.pid,
    }
    const before = readCpu(pids)
    const { atMs, left } = await waitSettled(db, { withinMs: drainWithinMs })
    return { tookMs: atMs - dueAtMs, left, cpu: cpuBetween(before, readCpu(pids)) }
  }
  // Not measured and not limited: the first burst of a process is slower than those after it.
  await drain('warm up', stack.workers[0]?.pid ?? 0)
  const measured: ScaleRound[] = []
  // From many to few: a worker that was stopped need not be started again.
  for (const count of counts.toSorted((a, b) => b - a)) {
    for (const worker of stack.workers.slice(count)) await worker.stop()
    const running = stack.workers.slice(0, count)
    const release = running.map(({ pid }) => limitCpu(pid, share))
    for (let n = 0; n < rounds; n++) {
      const { tookMs, left, cpu } = await drain(`scale ${count} ${n}`, running[0]?.pid ?? 0)
      const perSecond = (posts * platforms.length - left) / (tookMs / 1000)
      measured.push({ processes: count, perSecond, tookMs, left, cpu })
      logProgress(`${count} workers: ${tookMs} ms, ${Math.round(perSecond)} channels a second, ${left} left`)
    }
    for (const undo of release) undo()
  }
  return measured
}
