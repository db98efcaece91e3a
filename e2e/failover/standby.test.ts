import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { promote } from '../chaos/stack/start-standby.ts'
import { queryDatabase } from './start-database-proxy.ts'
import { startDatabasePair, type DatabasePair } from './start-database-pair.ts'
import { waitForFence } from './wait-for-fence.ts'

// Guarantee: when the primary dies under traffic, the standby that takes over neither loses nor repeats a post. A standby that lacks the last
// commits is recognised, and what it forgot is never sent again on a guess.

const before = 8_000
const after = 15_000

let stack: DatabasePair | undefined
afterEach(async () => {
  await stack?.stop()
  stack = undefined
})

describe('two databases behind one address', () => {
  test('a synchronous standby takes over; then the engine loses all its data', async () => {
    stack = await startDatabasePair('failover-sync', { isSynchronous: true })
    const { primary, standby, engine, engineDataDir } = stack
    const traffic = stack.traffic('sync')
    traffic.start()
    await sleep(before)
    const killedMs = Date.now()
    await primary.kill()
    await promote(standby)
    const secondsToPromote = (Date.now() - killedMs) / 1000
    await sleep(after)
    const failover = await stack.finish('failover to a synchronous standby', traffic, { figures: { secondsToPromote } })
    expect(failover).toMatchObject({ lost: 0, doubled: 0, false: 0, forgotten: 0, violations: [] })
    expect(await stack.operator(['fence', 'status', '--json'])).toMatchObject({ status: 'open' })

    const next = stack.traffic('engine')
    // Some are in the engine's hands for long before they are due.
    await next.schedule({ count: 30, fromMs: before, everyMs: 600 })
    next.start()
    await sleep(before)
    await engine.kill()
    await rm(engineDataDir, { recursive: true })
    await engine.restart()
    await sleep(after)
    const emptied = await stack.finish('loss of all data of the engine', next)
    expect(emptied).toMatchObject({ lost: 0, doubled: 0, false: 0, forgotten: 0, violations: [] })
  })

  test('an asynchronous standby that lags takes over', async () => {
    stack = await startDatabasePair('failover-lag', { isSynchronous: false })
    const { primary, standby, replication } = stack
    const traffic = stack.traffic('lag')
    // The standby knows these, but not that they were sent.
    await traffic.schedule({ count: 50, fromMs: 4_000, everyMs: 700 })
    traffic.start()
    await sleep(before)
    const lagFromMs = Date.now()
    const lagMs = 12_000
    void replication.cut(lagMs + 60_000)
    await sleep(lagMs)
    await primary.kill()
    const killedMs = Date.now()
    const { at } = await queryDatabase(standby.url, 'select pg_last_xact_replay_timestamp() as at')
    await promote(standby)

    const fence = await waitForFence(stack)
    const callsAtFence = (await stack.simulator.submits(traffic.prefix)).length
    await sleep(5_000)
    const callsWhileFenced = fence.isFenced ? (await stack.simulator.submits(traffic.prefix)).length - callsAtFence : 0
    if (fence.isFenced) {
      // The end is the moment from which the old primary can have allowed no send.
      const [from, until] = [new Date((at as Date).getTime() - 1000).toISOString(), new Date(killedMs + 1000).toISOString()]
      await stack.operator(['restore', 'finish', '--json', '--lost-from', from, '--lost-until', until])
    }
    await sleep(after)
    const figures = await stack.finish('failover to an asynchronous standby that lags', traffic, {
      lost: { fromMs: lagFromMs - 1000, untilMs: killedMs },
      figures: { lagSeconds: lagMs / 1000, secondsToFence: (fence.atMs - killedMs) / 1000, isFenced: fence.isFenced },
    })
    expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, violations: [] })
    expect({ isFenced: fence.isFenced, callsWhileFenced }).toEqual({ isFenced: true, callsWhileFenced: 0 })
  })
})
