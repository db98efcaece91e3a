import { createServer, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import type { Load } from '../load/http-load.ts'
import { summarize } from '../stats.ts'

type LoadOptions = { connections: number; seconds: number }

/** Does the same over and over on every connection for so long, and says how often it came to an end and how long that took. */
export async function loadFor(
  pool: pg.Pool,
  { connections, seconds }: LoadOptions,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<Load> {
  const times: number[] = []
  const begin = performance.now()
  const endsAt = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect()
      while (performance.now() < endsAt) {
        const start = performance.now()
        await work(client)
        times.push(performance.now() - start)
      }
      client.release()
    }),
  )
  const perSecond = times.length / ((performance.now() - begin) / 1000)
  return { perSecond, count: times.length, refused: 0, latency: summarize(times) }
}

/** Answers every request on this port with the load it asks for. */
export function serveLoad(port: number, run: (request: IncomingMessage) => Promise<Load>): void {
  createServer((request, response) => {
    void run(request).then(
      (load) => response.end(JSON.stringify(load)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(port, '127.0.0.1')
}
