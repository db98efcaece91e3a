import { createServer, type IncomingMessage } from 'node:http'
import type pg from 'pg'
import type { Load } from '../load/http-load.ts'
import { summarize } from '../stats.ts'

type LoadOptions = { connections: number; seconds: number }

/** Repeats some work on every connection for the given time, and returns how often it was done and how long it took. */
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

/** Runs the requested load for every request on this port, and answers with the result. */
export function serveLoad(port: number, run: (request: IncomingMessage) => Promise<Load>): void {
  createServer((request, response) => {
    void run(request).then(
      (load) => response.end(JSON.stringify(load)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(port, '127.0.0.1')
}
