import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import { testStack } from '../test-stack.ts'

type ReceivedRequest = { path: string; headers: Record<string, string>; body: string; atMs: number }

type PlannedReply = {
  status: number
  body?: string
  headers?: Record<string, string>
  delayMs?: number
  /** Writes the body, or never ends it. */
  write?: (response: ServerResponse) => void
}

export type WebhookReceiver = {
  url(path: string): string
  received(path: string): ReceivedRequest[]
  /** Sets the status for the nth delivery to a path. The default is 200. */
  setStatus(path: string, status: (nth: number) => number): void
  /** Sets the whole reply: status, body, headers, and a wait before it. */
  setReply(path: string, plan: (nth: number) => PlannedReply): void
  /** Waits for a delivery; `nth` counts from one. */
  waitFor(path: string, matches: (body: string, nth: number) => boolean, timeoutMs?: number): Promise<ReceivedRequest>
}

/** An HTTPS server that stores the webhook requests that it receives. It listens while the tests of the calling file run. */
export function useWebhookReceiver(): WebhookReceiver {
  const { webhookHost, webhookTlsCert, webhookTlsKey } = testStack
  const received: ReceivedRequest[] = []
  const plans = new Map<string, (nth: number) => PlannedReply>()
  const receivedAt = (path: string) => received.filter((each) => each.path === path)
  const server = createServer({ cert: readFileSync(webhookTlsCert), key: readFileSync(webhookTlsKey) }, (request, response) => {
    const atMs = Date.now()
    void text(request).then(async (body) => {
      const path = request.url ?? ''
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ path, headers, body, atMs })
      const plan = plans.get(path)?.(receivedAt(path).length) ?? { status: 200 }
      if (plan.delayMs) await new Promise((resolve) => setTimeout(resolve, plan.delayMs))
      response.writeHead(plan.status, plan.headers)
      if (plan.write) plan.write(response)
      else response.end(plan.body ?? 'thanks')
    })
  })
  beforeAll(async () => {
    const [name = '', port] = webhookHost.split(':')
    server.listen(Number(port), name)
    await once(server, 'listening')
  })
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: (path) => `https://${webhookHost}${path}`,
    received: receivedAt,
    setStatus: (path, status) => void plans.set(path, (nth) => ({ status: status(nth) })),
    setReply: (path, plan) => void plans.set(path, plan),
    async waitFor(path, matches, timeoutMs = 15_000) {
      const endMs = Date.now() + timeoutMs
      while (Date.now() < endMs) {
        const found = receivedAt(path).find(({ body }, n) => matches(body, n + 1))
        if (found) return found
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      throw new Error(`no matching delivery arrived at ${path}, only ${receivedAt(path).length} others`)
    },
  }
}
