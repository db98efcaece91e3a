import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startArchivedDatabase } from './start-archived-database.ts'
import { waitForFence } from './wait-for-fence.ts'

// Guarantee: after a point-in-time restore from the object store, no post is published twice, and none is reported wrongly.
test('the database is set back to a point in time', async () => {
  const stack = await startArchivedDatabase('failover-archive')
  const { pgbackrest, postgres, engine, engineDataDir, servers } = stack
  try {
    const traffic = stack.traffic('archive')
    traffic.start()
    await pgbackrest(['stanza-create'])
    await pgbackrest(['check'])
    const backupMs = Date.now()
    await pgbackrest(['--type=full', 'backup'])
    const secondsToBackUp = (Date.now() - backupMs) / 1000
    // These are known at the point in time, and sent after it.
    await traffic.schedule({ count: 30, fromMs: 3_000, everyMs: 600 })
    await sleep(3_000)
    const target = new Date()
    await sleep(15_000)
    await traffic.stop()

    // What the guide tells the operator: stop everything, restore, empty the engine, start, finish.
    const stoppedMs = Date.now()
    await Promise.all(Object.values(servers.processes).map((each) => each.stop()))
    await Promise.all([postgres.stop(), engine.stop()])
    const targetText = target.toISOString().replace('T', ' ').replace('Z', '+00')
    await pgbackrest(['--delta', '--type=time', `--target=${targetText}`, '--target-action=promote', 'restore'])
    await rm(engineDataDir, { recursive: true })
    await Promise.all([postgres.restart(), engine.restart()])
    // A fenced server answers but is not ready, so these end only after the restore is finished.
    const starting = Promise.all(Object.values(servers.processes).map((each) => each.restart()))
    starting.catch(() => {})
    const fence = await waitForFence(stack)
    const { suggestedLostUntil } = await stack.operator(['fence', 'status', '--json'])
    const lostUntil = String(suggestedLostUntil)
    await stack.operator(['restore', 'finish', '--json', '--lost-from', target.toISOString(), '--lost-until', lostUntil])
    await starting
    const secondsToRestore = (Date.now() - stoppedMs) / 1000

    traffic.start()
    await sleep(15_000)
    const figures = await stack.finish('point-in-time restore', traffic, {
      lost: { fromMs: target.getTime() - 1000, untilMs: stoppedMs },
      figures: { secondsToBackUp, secondsToRestore, isFenced: fence.isFenced },
    })
    expect(figures).toMatchObject({ lost: 0, doubled: 0, false: 0, violations: [] })
    expect(figures.forgotten).toBeGreaterThan(0)
    expect(fence.isFenced).toBe(true)
  } finally {
    await stack.stop()
  }
})
