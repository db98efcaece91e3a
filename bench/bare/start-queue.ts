import type { Stack } from '@carillon/stack'
import { makeWorkerUtils } from 'graphile-worker'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { startBareWorker, type Bare } from './bare-worker.ts'
import type { BareCall } from './calls.ts'

export type QueueName = 'graphile-worker' | 'pg-boss'
type Enqueue = (task: 'one' | 'many', payloads: readonly (BareCall | readonly BareCall[])[], dueAtMs: number) => Promise<unknown>

/** A queue in PostgreSQL with a bare worker, in a database of its own on the server that the service uses. */
export async function startBareQueue(stack: Stack, queue: QueueName): Promise<Bare> {
  const database = await createDatabase(stack, `bench_${queue.replace('-', '_')}`)
  const { enqueue, close } = await (queue === 'graphile-worker' ? openGraphile(database) : openBoss(database))
  const worker = await startBareWorker(stack, {
    name: `bare ${queue}`,
    program: 'queue.ts',
    args: ['--queue', queue, '--database', database],
  })
  const inThousands = async (task: 'one' | 'many', all: readonly (BareCall | readonly BareCall[])[], dueAtMs: number) => {
    for (let at = 0; at < all.length; at += 1000) await enqueue(task, all.slice(at, at + 1000), dueAtMs)
  }
  return {
    ...worker,
    get pid() {
      return worker.pid
    },
    scheduleOnes: (calls, dueAtMs) => inThousands('one', calls, dueAtMs),
    scheduleMany: (batches, dueAtMs) => inThousands('many', batches, dueAtMs),
    async stop() {
      await worker.stop()
      await close()
    },
  }
}

async function createDatabase({ info }: Stack, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: info.databaseUrl })
  await client.connect()
  try {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const url = new URL(info.databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

async function openGraphile(connectionString: string): Promise<{ enqueue: Enqueue; close(): Promise<unknown> }> {
  const utils = await makeWorkerUtils({ connectionString })
  await utils.migrate()
  return {
    enqueue: (task, payloads, dueAtMs) =>
      utils.addJobs(payloads.map((payload) => ({ identifier: task, payload, runAt: new Date(dueAtMs) }))),
    close: () => Promise.resolve(utils.release()),
  }
}

async function openBoss(connectionString: string): Promise<{ enqueue: Enqueue; close(): Promise<unknown> }> {
  const boss = new PgBoss({ connectionString, max: 4, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  // In a table of its own, because the first burst of a queue in the shared one is planned for a queue of one row.
  await boss.createQueue('one', { partition: true })
  await boss.createQueue('many', { partition: true })
  return {
    enqueue: (task, payloads, dueAtMs) =>
      boss.insert(
        task,
        payloads.map((payload) => ({ data: task === 'one' ? payload : { calls: payload }, startAfter: new Date(dueAtMs) })),
      ),
    close: () => boss.stop(),
  }
}
