import { parseArgs } from 'node:util'
import { run } from 'graphile-worker'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { BareCall } from './calls.ts'
import { startSender } from './start-sender.ts'

/**
 * The least that a queue in PostgreSQL with a worker can do for a due channel: a job that makes the call. The settings are those with which each
 * library drained no-op jobs fastest, with places enough for calls that wait for a platform.
 */
const { values } = parseArgs({
  options: {
    queue: { type: 'string' },
    database: { type: 'string' },
    control: { type: 'string' },
    simulator: { type: 'string' },
  },
})
const connectionString = values.database ?? ''
const send = startSender(values)

if (values.queue === 'graphile-worker') {
  const pgPool = new pg.Pool({ connectionString, max: 10 })
  pgPool.on('error', () => {})
  await run({
    pgPool,
    pollInterval: 100,
    taskList: {
      one: async (call) => void (await send(call as BareCall)),
      many: async (calls) => void (await Promise.all((calls as BareCall[]).map(send))),
    },
    preset: { worker: { concurrentJobs: 128, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
} else {
  const boss = new PgBoss({ connectionString, max: 10 })
  boss.on('error', () => {})
  await boss.start()
  const everySeconds = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true }
  await boss.work<BareCall>('one', { ...everySeconds, batchSize: 100, localConcurrency: 4 }, async (jobs) => {
    await Promise.all(jobs.map(({ data }) => send(data)))
  })
  await boss.work<{ calls: BareCall[] }>('many', { ...everySeconds, batchSize: 2, localConcurrency: 4 }, async (jobs) => {
    await Promise.all(jobs.flatMap(({ data }) => data.calls.map(send)))
  })
}
