import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { StackInfo } from '@carillon/stack'
import { registerCleanup } from '../cleanup.ts'

/** The events that end a post, for which it is checked that each arrived. */
const finalEvents: ReadonlySet<string> = new Set(['upload.completed', 'upload.partial_failure', 'upload.failed'])

export const webhookEvents = [...finalEvents, 'upload.scheduled', 'channel.published', 'channel.failed', 'channel.unconfirmed']

/** One delivery in this many is answered with a server error, and then repeated by the service. */
const refuseEvery = 20

export type Receiver = {
  received(): { deliveries: number; refused: number; repeated: number }
  /** Whether the event that ended this post arrived. */
  hasFinalEvent(postId: string): boolean
  close(): void
}

/** Receives the webhooks of all workspaces. */
export async function startReceiver(info: StackInfo): Promise<Receiver> {
  const deliveryIds = new Set<string>()
  const finishedPosts = new Set<string>()
  let [attempts, refused, repeated] = [0, 0, 0]
  const server = createServer(
    { cert: readFileSync(info.webhookTlsCert), key: readFileSync(info.webhookTlsKey) },
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        attempts++
        if (attempts % refuseEvery === 0) {
          refused++
          response.writeHead(503).end()
          return
        }
        response.writeHead(200).end()
        const body: { event: string; deliveryId: string; data: { uploadId?: string } } = JSON.parse(
          Buffer.concat(chunks).toString(),
        )
        if (deliveryIds.has(body.deliveryId)) repeated++
        deliveryIds.add(body.deliveryId)
        if (finalEvents.has(body.event) && body.data.uploadId !== undefined) finishedPosts.add(body.data.uploadId)
      })
    },
  )
  const [host = '127.0.0.1', port = '0'] = info.webhookHost.split(':')
  await new Promise<void>((done, fail) => server.once('error', fail).listen(Number(port), host, done))
  const close = () => {
    unregister()
    server.close()
    server.closeAllConnections()
  }
  const unregister = registerCleanup(async () => close())
  return {
    received: () => ({ deliveries: deliveryIds.size, refused, repeated }),
    hasFinalEvent: (postId) => finishedPosts.has(postId),
    close,
  }
}
