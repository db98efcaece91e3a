import { setTimeout as sleep } from 'node:timers/promises'
import { upStack } from '@carillon/stack'
import { waitUntil } from '@carillon/stack/services'
import { expect, test } from 'vitest'
import { queryDatabase } from './start-database-proxy.ts'
import { startDrillStack } from './start-drill-stack.ts'

// Guarantee: an answer of a platform that a living worker holds is not thrown away when the engine is away at that moment.
test('the engine is killed while platforms answer, and comes back', async () => {
  const base = await upStack({ name: 'failover-engine-away', roles: [], fsync: false })
  const stack = await startDrillStack({ stack: base, stop: () => base.stop() })
  try {
    const traffic = stack.traffic('away')
    // The post is made at once, and the answer takes a while.
    for (const platform of ['bluesky', 'linkedin', 'mastodon', 'threads', 'x'])
      await stack.simulator.addFault({
        platform,
        operation: 'submit',
        times: 2,
        fault: { kind: 'delay', ms: 900, when: 'after' },
      })
    await traffic.schedule({ count: 10, fromMs: 15_000, everyMs: 0 })
    const isSending = async () =>
      Number((await queryDatabase(base.info.databaseUrl, `select count(*) as n from channel where state = 'submitting'`))['n']) >
      0
    await waitUntil(isSending, { what: 'a guard to be set', withinMs: 60_000, everyMs: 10 })
    await base.restate.kill()
    await sleep(2_500)
    await base.restate.restart()
    const figures = await stack.finish('engine away for a moment while platforms answer', traffic)
    expect(figures).toMatchObject({ calls: 10, lost: 0, doubled: 0, false: 0, unconfirmed: 0, violations: [] })
  } finally {
    await stack.stop()
  }
})
