import { setTimeout as sleep } from 'node:timers/promises'
import { cpuBetween, readCpu, type Cpu } from '../measure/processes.ts'
import { startProfile, type ProfileSummary } from '../measure/profile.ts'
import { readStatements, resetStatements, type Statement } from '../measure/statements.ts'
import { seedPosts } from '../setup/seed-posts.ts'
import { waitEvents } from '../setup/wait-events.ts'
import { countStates, waitSettled } from '../setup/wait-settled.ts'
import { platforms, type Platform } from '../setup/simulator.ts'
import { latenessOf, type Lateness } from './lateness.ts'
import { dueAfter, pidsOf, type BurstContext } from './burst-context.ts'

export type OurRound = {
  /** Until the last channel is settled in PostgreSQL. */
  drainMs: number
  /** Until the webhook receiver has the last event. */
  eventDrainMs: number
  events: { expected: number; received: number; repeated: number; undelivered: number }
  dueAtMs: number
  endedAtMs: number
  eventsEndedAtMs: number
  left: number
  states: { platform: string; state: string; count: number }[]
  lateness: Lateness
  cpu: Cpu
  readiness: { waiting: number; unstaged: number }
  statements?: Statement[]
  profile?: ProfileSummary
}

type Options = { label: string; slow?: Platform; profileTo?: string }

const slowMs = 20_000
const drainWithinMs = 120_000
const eventsWithinMs = 600_000

/**
 * Measures the whole service with all channels due in one second, from the due time on: until the last one is settled in PostgreSQL, and
 * until the last of its events has reached a webhook receiver. Rate limits and autovacuum work as they do in production.
 */
export async function measureOurRound(context: BurstContext, { label, slow, profileTo }: Options): Promise<OurRound> {
  const { bench, connected, receiver, posts, leadMs } = context
  const { db, simulator, stack } = bench
  await simulator.clearPosts()
  await simulator.record(true)
  if (slow) await simulator.settings({ platform: slow, latencyMs: 0 })
  receiver.reset()
  const dueAtMs = dueAfter(leadMs)
  await seedPosts(db, { workspaceId: stack.info.workspaceId, connected, posts, dueAtMs: () => dueAtMs, label })

  await sleep(Math.max(0, dueAtMs - 1500 - Date.now()))
  const readiness = await readReadiness(context)
  if (slow) await simulator.settings({ platform: slow, latencyMs: slowMs })
  const profiling = profileTo ? await startProfile(stack.servers.worker?.pid ?? 0, bench.inspectPort) : undefined
  await resetStatements(db)
  await sleep(Math.max(0, dueAtMs - Date.now()))
  const before = readCpu(pidsOf(context))
  const { atMs: endedAtMs, left } = await waitSettled(db, { withinMs: drainWithinMs, ...(slow && { except: slow }) })
  const cpu = cpuBetween(before, readCpu(pidsOf(context)))
  const profile = profileTo ? await profiling?.stop(profileTo) : undefined
  const statements = await readStatements(db)

  const all = await simulator.arrivals()
  const arrivals = slow ? all.filter(({ platform }) => platform !== slow) : all
  const states = await countStates(db, label)
  if (slow) await finishSlowChannels(context, slow)
  const { undelivered } = await waitEvents(db, eventsWithinMs)
  const { events: received, repeated, lastAtMs: eventsEndedAtMs } = receiver.received()
  return {
    drainMs: endedAtMs - dueAtMs,
    eventDrainMs: eventsEndedAtMs - dueAtMs,
    // One event for each channel and one for the whole post.
    events: { expected: posts * (platforms.length + 1), received, repeated, undelivered },
    dueAtMs,
    endedAtMs,
    eventsEndedAtMs,
    left,
    states,
    lateness: latenessOf(arrivals, () => dueAtMs),
    cpu,
    readiness,
    statements,
    ...(profile && { profile }),
  }
}

/** Channels that are not ready shortly before the due time will be late whatever the burst measures, so they are counted. */
async function readReadiness({ bench }: BurstContext): Promise<OurRound['readiness']> {
  const { rows } = await bench.db.query<{ waiting: number; unstaged: number }>(
    `select count(*) filter (where state = 'scheduled')::int as waiting,
       count(*) filter (where needs_stage and staged is null)::int as unstaged
     from channel where state in ('scheduled', 'dispatched') and dispatch_at < now() + interval '10 minutes'`,
  )
  return { waiting: rows[0]?.waiting ?? 0, unstaged: rows[0]?.unstaged ?? 0 }
}

async function finishSlowChannels({ bench }: BurstContext, slow: Platform): Promise<void> {
  await bench.simulator.settings({ platform: slow, latencyMs: 0 })
  await waitSettled(bench.db, { withinMs: 180_000 })
}

export function countOf(states: OurRound['states'], state: string): number {
  return states.filter((each) => each.state === state).reduce((sum, { count }) => sum + count, 0)
}
