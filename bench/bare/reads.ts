import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { SentStatement } from '../measure/capture.ts'
import { loadFor, serveLoad } from './script-load.ts'

/**
 * The least a program can do to read posts: the statements of the API's own transactions, as they were seen on their way to PostgreSQL,
 * with rows taken apart and thrown away. No HTTP, no look at who asks, no answer.
 */
const { values } = parseArgs({
  options: { control: { type: 'string' }, database: { type: 'string' }, connections: { type: 'string', default: '1' } },
})
const connections = Number(values.connections)
const app = new pg.Pool({ connectionString: values.database, max: connections, options: '-c role=carillon_app' })

type LoadOrder = { seconds: number; transactions: SentStatement[][] }

serveLoad(Number(values.control), async (request) => {
  const { seconds, transactions } = (await json(request)) as LoadOrder
  let asked = 0
  return loadFor(app, { connections, seconds }, async (client) => {
    const statements = transactions[asked++ % transactions.length] ?? []
    for (const { text, values: given } of statements) await client.query(text, given)
  })
})
