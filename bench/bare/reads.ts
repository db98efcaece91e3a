import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { SentStatement } from '../measure/capture.ts'
import { loadFor, serveLoad } from './script-load.ts'

/**
 * The least that a program can do to read posts: the statements of the API's own transactions, as PostgreSQL logged them. The rows are
 * parsed and thrown away. No HTTP, no authentication, no answer.
 */
const { values } = parseArgs({
  options: { control: { type: 'string' }, database: { type: 'string' }, connections: { type: 'string', default: '1' } },
})
const connections = Number(values.connections)
const app = new pg.Pool({ connectionString: values.database, max: connections, options: '-c role=carillon_app' })

type LoadOrder = { seconds: number; transactions: SentStatement[][] }

serveLoad(Number(values.control), async (request) => {
  const { seconds, transactions } = (await json(request)) as LoadOrder
  let sent = 0
  return loadFor(app, { connections, seconds }, async (client) => {
    const statements = transactions[sent++ % transactions.length] ?? []
    for (const { text, values: given } of statements) await client.query(text, given)
  })
})
