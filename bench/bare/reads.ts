import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Sent } from '../measure/capture.ts'
import { summarize } from '../stats.ts'

/**
 * The least a program can do to read posts: the statements of the API's own transactions, as they were seen on their way to PostgreSQL,
 * with rows taken apart and thrown away. No HTTP, no look at who asks, no answer.
 */
const { values } = parseArgs({
  options: { control: { type: 'string' }, database: { type: 'string' }, connections: { type: 'string', default: '1' } },
})
const connections = Number(values.connections)
const app = new pg.Pool({ connectionString: values.database, max: connections, options: '-c role=carillon_app' })

async function runFor({ seconds, transactions }: Order) {
  const times: number[] = []
  let asked = 0
  const begin = performance.now()
  const endsAt = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await app.connect()
      while (performance.now() < endsAt) {
        const statements = transactions[asked++ % transactions.length] ?? []
        const start = performance.now()
        for (const { text, values: given } of statements) await client.query(text, given)
        times.push(performance.now() - start)
      }
      client.release()
    }),
  )
  const perSecond = times.length / ((performance.now() - begin) / 1000)
  return { perSecond, count: times.length, refused: 0, latency: summarize(times) }
}

type Order = { seconds: number; transactions: Sent[][] }

createServer((request, response) => {
  const work = json(request).then((order) => runFor(order as Order))
  void work.then(
    (load) => response.end(JSON.stringify(load)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}).listen(Number(values.control), '127.0.0.1')
