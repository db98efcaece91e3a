import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'

export type Heard = { path: string; headers: Record<string, string>; body: string; atMs: number }

export type Planned = { status: number; body?: string; headers?: Record<string, string>; delayMs?: number }

export type Receiver = {
  url(path: string): string
  heard(path: string): Heard[]
  /** The status for the nth delivery to a path; 200 unless told. */
  answer(path: string, status: (nth: number) => number): void
  /** More than a status: a body, headers, a wait before it. */
  reply(path: string, plan: (nth: number) => Planned): void
  /** Waits for a delivery; `nth` counts from one. */
  next(path: string, matches: (body: string, nth: number) => boolean, timeoutMs?: number): Promise<Heard>
  close(): void
}

/** An HTTPS endpoint that keeps what webhooks send it. */
export async function openReceiver({
  host,
  certFile,
  keyFile,
}: {
  host: string
  certFile: string
  keyFile: string
}): Promise<Receiver> {
  const heard: Heard[] = []
  const plans = new Map<string, (nth: number) => Planned>()
  const at = (path: string) => heard.filter((each) => each.path === path)
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
    const atMs = Date.now()
    void text(request).then(async (body) => {
      const path = request.url ?? ''
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      heard.push({ path, headers, body, atMs })
      const plan = plans.get(path)?.(at(path).length) ?? { status: 200 }
      if (plan.delayMs) await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
      response.writeHead(plan.status, plan.headers).end(plan.body ?? 'thanks')
    })
  })
  const [name = '', port] = host.split(':')
  server.listen(Number(port), name)
  await once(server, 'listening')
  return {
    url: (path) => `https://${host}${path}`,
    heard: at,
    answer: (path, status) => void plans.set(path, (nth) => ({ status: status(nth) })),
    reply: (path, plan) => void plans.set(path, plan),
    async next(path, matches, timeoutMs = 15_000) {
      const endMs = Date.now() + timeoutMs
      while (Date.now() < endMs) {
        const found = at(path).find(({ body }, n) => matches(body, n + 1))
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`nothing that matches arrived at ${path}; ${at(path).length} deliveries did`)
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
