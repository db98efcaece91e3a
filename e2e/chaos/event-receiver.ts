import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { StackInfo } from '@carillon/stack'
import type { Api } from './api.ts'
import { fieldsOf, parseJson, textOf } from './json.ts'

export type EventReceiver = {
  /** Whether a correctly signed event with this name about this post has arrived. */
  has(event: string, requestId: string): boolean
  deliveries: number
  badSignatures: number
  close(): void
}

/** Every twelfth delivery is rejected the first time, so that retries are tested too. */
const refusedOneIn = 12

/** Receives every event over TLS and counts only those that are signed with its secret. */
export async function startEventReceiver(info: StackInfo, api: Api): Promise<EventReceiver> {
  const seen = new Set<string>()
  const refused = new Set<string>()
  let secret = ''
  const receiver: EventReceiver = {
    has: (event, requestId) => seen.has(`${event} ${requestId}`),
    deliveries: 0,
    badSignatures: 0,
    close: () => void server.close(),
  }
  const receive = (body: Buffer, signature: string): number => {
    receiver.deliveries++
    if (!isSignedWith(secret, body, signature)) {
      receiver.badSignatures++
      return 400
    }
    const { event, deliveryId, data } = fieldsOf(parseJson(body.toString()))
    const id = String(deliveryId)
    if (receiver.deliveries % refusedOneIn === 0 && !refused.has(id)) {
      refused.add(id)
      return 503
    }
    seen.add(`${String(event)} ${textOf(fieldsOf(data)['requestId']) ?? ''}`)
    return 200
  }
  const server = createServer(
    { cert: readFileSync(info.webhookTlsCert), key: readFileSync(info.webhookTlsKey) },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(receive(Buffer.concat(chunks), String(request.headers['x-webhook-signature'] ?? ''))).end()
      })
    },
  )
  const [host = '127.0.0.1', port = '0'] = info.webhookHost.split(':')
  await new Promise<void>((done, fail) => server.once('error', fail).listen(Number(port), host, done))
  const events = [
    'upload.completed',
    'upload.partial_failure',
    'upload.failed',
    'channel.published',
    'channel.failed',
    'channel.unconfirmed',
  ]
  const url = `https://${info.webhookHost}/hooks`
  const answer = await api({ method: 'POST', path: '/webhooks', body: { url, events }, key: 'chaos-webhook' })
  if (answer.status !== 201) throw new Error(`the webhook was not created: ${JSON.stringify(answer.body)}`)
  secret = textOf(fieldsOf(answer.data)['secret']) ?? ''
  return receiver
}

function isSignedWith(secret: string, body: Buffer, signature: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(signature)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}
