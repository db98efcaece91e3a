import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startOnCluster } from '../chaos/stack/start-chaos-stack.ts'
import { startDrillStack } from './start-drill-stack.ts'

// Guarantee: a cluster of three Restate nodes goes on publishing without one of them, and takes it back.
test('one of three nodes of the engine is lost', async () => {
  const base = await startOnCluster('failover-cluster')
  const stack = await startDrillStack({ stack: base.stack, env: base.env, stop: () => base.stop() })
  try {
    const node = base.engines['engine-1']
    if (!node) throw new Error('the cluster has no first node')
    const traffic = stack.traffic('node')
    // Some are in the hands of the node that is lost, for long before they are due.
    await traffic.schedule({ count: 30, fromMs: 8_000, everyMs: 600 })
    traffic.start()
    await sleep(8_000)
    await node.kill()
    await sleep(20_000)
    const restartedMs = Date.now()
    await node.restart()
    const secondsToRejoin = (Date.now() - restartedMs) / 1000
    await sleep(5_000)
    const figures = await stack.finish('loss of one of three nodes of the engine', traffic, { figures: { secondsToRejoin } })
    expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, forgotten: 0, violations: [] })
    // Posts went out while the node was away, which was 20 seconds.
    expect(figures.secondsWithoutPublishing).toBeLessThan(20)
  } finally {
    await stack.stop()
  }
})
