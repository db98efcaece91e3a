import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { StackInfo } from '@carillon/stack'
import { requestJson } from '../request-json.ts'
import { registerCleanup } from '../cleanup.ts'

export type EventReceiver = {
  /** Different events that arrived since the last reset, and when the newest arrived. An event that is delivered twice counts once. */
  received(): { events: number; repeated: number; lastAtMs: number }
  reset(): void
  close(): Promise<void>
}

const events = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'channel.published',
  'channel.failed',
  'channel.unconfirmed',
]

/** Subscribes a webhook of the stack's workspace to everything that a burst causes, and accepts each delivery at once. */
export async function startEventReceiver(info: StackInfo, headers: Record<string, string>): Promise<EventReceiver> {
  let ids = new Set<string>()
  let [repeated, lastAtMs] = [0, 0]
  const server = createServer(
    { cert: readFileSync(info.webhookTlsCert), key: readFileSync(info.webhookTlsKey) },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(200).end()
        const { deliveryId }: { deliveryId: string } = JSON.parse(Buffer.concat(chunks).toString())
        if (ids.has(deliveryId)) repeated++
        ids.add(deliveryId)
        lastAtMs = Date.now()
      })
    },
  )
  const [host = '127.0.0.1', port = '0'] = info.webhookHost.split(':')
  await new Promise<void>((done, fail) => server.once('error', fail).listen(Number(port), host, done))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const unregister = registerCleanup(async () => close())
  const { data } = await requestJson<{ data: { id: string } }>(`${info.baseUrl}/webhooks`, {
    headers,
    body: { url: `https://${info.webhookHost}/hooks`, events },
  })
  return {
    received: () => ({ events: ids.size, repeated, lastAtMs }),
    reset() {
      ids = new Set()
      ;[repeated, lastAtMs] = [0, 0]
    },
    async close() {
      await fetch(`${info.baseUrl}/webhooks/${data.id}`, { method: 'DELETE', headers })
      unregister()
      close()
    },
  }
}
