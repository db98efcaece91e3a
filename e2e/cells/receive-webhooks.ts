import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@carillon/sdk'
import type { StackInfo } from '@carillon/stack'

/** `requestId` is that of the post; null for an event that is about no post. */
type Received = { deliveryId: string; requestId: string | null }

export type WebhookReceiver = {
  url: string
  received: readonly Received[]
  /** Deliveries whose signature is not that of the secret. */
  refused: readonly string[]
  expectSecret(secret: string): void
  stop(): Promise<void>
}

/** An HTTPS server that accepts webhook deliveries and verifies each signature. */
export async function receiveWebhooks({ webhookHost, webhookTlsCert, webhookTlsKey }: StackInfo): Promise<WebhookReceiver> {
  const received: Received[] = []
  const refused: string[] = []
  let secret = ''
  const server = createServer({ cert: readFileSync(webhookTlsCert), key: readFileSync(webhookTlsKey) }, (request, response) => {
    void text(request).then(async (body) => {
      try {
        const { deliveryId, data } = await verifyWebhook({ body, headers: request.headers, secret })
        received.push({ deliveryId, requestId: 'requestId' in data ? data.requestId : null })
      } catch (error) {
        refused.push(String(error))
      }
      response.end('thanks')
    })
  })
  const [host = '', port] = webhookHost.split(':')
  server.listen(Number(port), host)
  await once(server, 'listening')
  return {
    url: `https://${webhookHost}/cells`,
    received,
    refused,
    expectSecret(given) {
      secret = given
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
