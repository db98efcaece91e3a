import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PlatformError } from '@carillon/connectors'
import { startRestate } from '@carillon/stack/services'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import { expect, test } from 'vitest'
import { startDatabase } from '../../test/start-database.ts'
import { startProxy } from '../../test/start-proxy.ts'
import { openPublisher } from '../features/publishing/publishing.fixture.ts'
import { submitBatch } from '../features/publishing/send/submit-batch.ts'
import { heartbeatWorkflow } from '../infra/health/heartbeat.workflow.ts'
import { createHeartbeat } from './run-worker.ts'

/**
 * Guarantee: a worker that starts beside an empty engine puts everything back on the schedule, also if the database does not answer at this moment,
 * for example because the process was paused. It does not end, and the engine is not taken for filled.
 */
test('what was enqueued in a lost engine is enqueued again, although the connection to the database broke meanwhile', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-heartbeat-'))
  const engine = await startRestate({ dir, partitions: 1 })
  const database = await startDatabase()
  const proxy = await startProxy(database.url)
  const lost = async () => {
    throw new PlatformError({ kind: 'unknown', platformCode: null, message: 'The answer was lost.' })
  }
  const world = await openPublisher({ url: proxy.url, stop: proxy.stop }, { x: { submit: lost } })
  const server = createServer(createEndpointHandler({ services: [heartbeatWorkflow(world.ctx)], logger: () => {} }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await world.create('Evensong')
    for (const batch of await world.claim()) await submitBatch(world.ctx, batch)
    const dueQuestions = async () => {
      const rows = await world.ctx.db.system.selectFrom('part').select(['state', 'recover_at']).execute()
      const isSent = (state: string) => state === 'submitting' || state === 'confirming'
      return rows.filter(({ state, recover_at: at }) => isSent(state) && (at?.getTime() ?? 0) <= Date.now()).length
    }
    expect(await dueQuestions()).toBe(0)

    const workerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const config = { ...world.ctx.config, restateAdminUrl: engine.adminUrl, workerUrl }
    const ctx = { ...world.ctx, config }
    proxy.breakAfter('with lost as')
    const heartbeat = await createHeartbeat(ctx, { start: async () => {}, watch: async () => {} })
    await expect(heartbeat.beat()).rejects.toThrow('PostgreSQL did not answer')
    expect(await dueQuestions()).toBe(0)
    await heartbeat.beat()
    expect(await dueQuestions()).toBe(1)
  } finally {
    await world.close()
    await proxy.stop()
    await database.stop()
    await engine.stop()
    server.close()
    await rm(dir, { recursive: true, force: true })
  }
})
