import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { bareCall, containerCall, type BareCall } from '../bare/calls.ts'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { platforms } from '../setup/simulator.ts'
import { latenessOf, type Lateness } from './lateness.ts'
import { dueAfter, pidsOf, type BareContext } from './burst-context.ts'

export type BareRound = { drainMs: number; dueAtMs: number; answered: number; refused: number; lateness: Lateness; cpu: Cpu }

/** The batch size of the service (`batchMax` of the dispatcher). */
const batchMax = 50

/** Measures the same calls with a bare worker, all due in one second: from the due time until the last call is answered. */
export async function measureBareRound(context: BareContext, shape: 'one' | 'many', label: string): Promise<BareRound> {
  const { bench, bare, leadMs } = context
  const { simulator } = bench
  await simulator.clearPosts()
  await simulator.record(true)
  const byPlatform = await prepareCalls(context, label)
  const calls = byPlatform.flat()
  await bare.reset()
  const dueAtMs = dueAfter(leadMs)
  if (shape === 'one') await bare.scheduleOnes(interleave(byPlatform), dueAtMs)
  else
    await bare.scheduleMany(
      byPlatform.flatMap((list) => chunk(list, batchMax)),
      dueAtMs,
    )
  if (Date.now() > dueAtMs) throw new Error('the bare runs were not all enqueued in time; use a longer --lead')

  await sleep(dueAtMs - Date.now())
  const before = readCpu(pidsOf(context))
  const { answered, refused, lastAtMs } = await bare.waitAnswered(calls.length, 120_000)
  const cpu = cpuBetween(before, readCpu(pidsOf(context)))
  const lateness = latenessOf(await simulator.arrivals(), () => dueAtMs)
  return { drainMs: lastAtMs - dueAtMs, dueAtMs, answered, refused, lateness, cpu }
}

export async function prepareCalls({ bench, connected, posts }: BareContext, label: string): Promise<BareCall[][]> {
  const pool = new Pool(bench.simulator.url, { connections: 32 })
  const make = async (call: BareCall): Promise<string> => {
    const answer = await pool.request({ method: 'POST', path: call.path, headers: call.headers, body: call.body })
    const made: { id: string } = JSON.parse(await answer.body.text())
    return made.id
  }
  const nowMs = Date.now()
  const all = await Promise.all(
    platforms.map((platform) =>
      Promise.all(
        Array.from({ length: posts }, async (_, n) => {
          const list = connected[platform]
          const target = list[n % list.length]
          if (!target) throw new Error(`no account on ${platform}`)
          const text = `${label} ${n}`
          const container = platform === 'threads' ? await make(containerCall(target, text)) : ''
          return bareCall(target, text, nowMs, container)
        }),
      ),
    ),
  )
  await pool.close()
  return all
}

/** Orders the calls by post and not by platform, because the service writes the channels of a post together. */
function interleave(lists: readonly BareCall[][]): BareCall[] {
  return (lists[0] ?? []).flatMap((_, at) => lists.flatMap((list) => list[at] ?? []))
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
}
