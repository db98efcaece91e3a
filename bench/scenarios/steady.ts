import { setTimeout as sleep } from 'node:timers/promises'
import { latenessOf } from '../burst/lateness.ts'
import type { Options } from '../options.ts'
import { atMost, type Outcome } from '../results.ts'
import { startBenchStack } from '../setup/bench-stack.ts'
import { connectAccounts } from '../setup/connect-accounts.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { platforms } from '../setup/simulator.ts'
import { countStates, waitSettled } from '../setup/wait-settled.ts'

const p99Goal = 2000

/** A constant load for some minutes: the same number of channels every second. */
export async function steady({ seconds = 120, channels: perSecond = 50, accounts = 500, short }: Options): Promise<Outcome> {
  await using bench = await startBenchStack()
  const { stack, db, simulator } = bench
  const connected = await connectAccounts(stack, simulator, accounts)
  const posts = Math.round((seconds * perSecond) / platforms.length)
  const firstDueMs = Date.now() + (short ? 5000 : 20_000)
  const dueAtMs = (post: number) => firstDueMs + Math.floor((post * 1000 * platforms.length) / perSecond)
  await simulator.record(true)
  await seedPosts(db, { workspaceId: stack.info.workspaceId, connected, posts, dueAtMs, label: 'steady' })
  await sleep(dueAtMs(posts) - Date.now())
  const { left } = await waitSettled(db, { withinMs: 30_000 })
  const arrivals = await simulator.arrivals()
  // The text of a post ends with its number.
  const lateness = latenessOf(arrivals, ({ textPrefix }) => dueAtMs(Number(textPrefix.split(' ').at(-1))))
  const states = await countStates(db, 'steady')
  const { p50, p99, max } = lateness.all
  return {
    figure: `steady: ${perSecond} channels a second for ${seconds} s, late p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; early ${lateness.early}`,
    goals: [
      atMost('lateness p99 (ms)', p99, p99Goal),
      atMost('sent early', lateness.early, 0),
      atMost('not sent', posts * platforms.length - arrivals.length, 0),
      atMost('not settled', left, 0),
    ],
    settings: { seconds, perSecond, accounts, fsync: true },
    data: { lateness, states },
  }
}
