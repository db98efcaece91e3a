import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StackInfo } from '@carillon/stack'
import type { Api } from '../client/api.ts'
import { fieldsOf, parseJson, textOf } from '../client/json.ts'
import type { Workspace } from '../plan/slot.ts'

/** An event that has arrived, once for each delivery id, however often it was delivered. */
export type ReceivedEvent = {
  event: string
  deliveryId: string
  /** When it happened, by the service. */
  happenedMs: number
  requestId: string | null
  channelId: string | null
  connectionId: string | null
}

export type EventReceiver = {
  events: readonly ReceivedEvent[]
  /** How many deliveries arrived again after they had been accepted, which the interface allows. */
  readonly repeated: number
  readonly badSignatures: number
  /** For this long, deliveries get no answer or a failure. */
  misbehave(how: 'hang' | 'fail', forMs: number): Promise<void>
  close(): void
}

/** Every twelfth delivery is rejected the first time, so that retries are tested in every seed. */
const refusedOneIn = 12
/** Every event that the interface names, but `webhook.test`, which is sent only on request. */
const subscribed = [
  'upload.completed',
  'upload.partial_failure',
  'upload.failed',
  'upload.scheduled',
  'upload.publishing',
  'channel.published',
  'channel.failed',
  'channel.unconfirmed',
  'connection.needs_reconnect',
  'workspace.restored',
]

/** Receives every event of the workspaces over TLS, and counts only those that are signed with the secret of their webhook. */
export async function startEventReceiver(info: StackInfo, apis: Record<Workspace, Api>): Promise<EventReceiver> {
  const events = new Map<string, ReceivedEvent>()
  const secrets = new Map<string, string>()
  const refused = new Set<string>()
  const counts = { deliveries: 0, repeated: 0, badSignatures: 0, hanging: 0, failing: 0 }

  const receive = (path: string, body: Buffer, signature: string): number => {
    counts.deliveries++
    if (!isSignedWith(secrets.get(path) ?? '', body, signature)) {
      counts.badSignatures++
      return 400
    }
    const { event, deliveryId, timestamp, data } = fieldsOf(parseJson(body.toString()))
    const id = String(deliveryId)
    if (counts.failing > 0) return 500
    if (counts.deliveries % refusedOneIn === 0 && !refused.has(id)) {
      refused.add(id)
      return 503
    }
    if (events.has(id)) counts.repeated++
    const { requestId, channelId, connectionId } = fieldsOf(data)
    events.set(id, {
      event: String(event),
      deliveryId: id,
      happenedMs: Date.parse(String(timestamp)),
      requestId: textOf(requestId),
      channelId: textOf(channelId),
      connectionId: textOf(connectionId),
    })
    return 200
  }
  const tls = { cert: readFileSync(info.webhookTlsCert), key: readFileSync(info.webhookTlsKey) }
  const server = createServer(tls, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // The caller is left waiting until it gives up.
      if (counts.hanging > 0) return
      const status = receive(request.url ?? '', Buffer.concat(chunks), String(request.headers['x-webhook-signature'] ?? ''))
      response.writeHead(status).end()
    })
  })
  const [host = '127.0.0.1', port = '0'] = info.webhookHost.split(':')
  await new Promise<void>((done, fail) => server.once('error', fail).listen(Number(port), host, done))
  for (const [workspace, api] of Object.entries(apis)) {
    const path = `/hooks/${workspace}`
    const body = { url: `https://${info.webhookHost}${path}`, events: subscribed }
    const answer = await api({ method: 'POST', path: '/webhooks', body, key: `chaos-webhook-${workspace}` })
    if (answer.status !== 201) throw new Error(`the webhook was not created: ${JSON.stringify(answer.body)}`)
    secrets.set(path, textOf(fieldsOf(answer.data)['secret']) ?? '')
  }
  return {
    get events() {
      return [...events.values()]
    },
    get repeated() {
      return counts.repeated
    },
    get badSignatures() {
      return counts.badSignatures
    },
    async misbehave(how, forMs) {
      const name = how === 'hang' ? 'hanging' : 'failing'
      counts[name]++
      await sleep(forMs)
      counts[name]--
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isSignedWith(secret: string, body: Buffer, signature: string): boolean {
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(signature)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}
