import { collectBytes } from './collect-bytes.ts'
import { createFinishedPosts, type FinishedPosts } from './create-finished-posts.ts'
import type { WebhookEvent } from './types.gen.ts'
import { verifyWebhook, WebhookVerificationError, type WebhookHeaders, type WebhookToVerify } from './verify-webhook.ts'

export type WebhookReceiverOptions = Pick<WebhookToVerify, 'secret' | 'toleranceSeconds' | 'requireTimestamp'> & {
  /** Called once for each event. The delivery is acknowledged after it has finished; if it fails, Carillon delivers the event again. */
  onEvent?: (event: WebhookEvent) => unknown
  /** Called with the error of `onEvent`. Default: the error is written to the console. */
  onError?: (error: unknown) => void
}

// Only the parts of Node's request and response that are used, so that the SDK does not need the types of Node.
type NodeRequest = AsyncIterable<Uint8Array> & { method?: string | undefined; headers: WebhookHeaders }
type NodeResponse = { writeHead: (status: number) => { end: () => unknown }; destroy: () => unknown }

export type WebhookReceiver = Pick<FinishedPosts, 'waitUntilFinished'> & {
  /** For runtimes and frameworks with the Request and Response of fetch: Next.js, Hono, Deno, Bun, Workers. */
  fetch: (request: Request) => Promise<Response>
  /** For the http and https servers of Node, and for Express if it is mounted before any body parser. */
  listener: (request: NodeRequest, response: NodeResponse) => void
}

const bodyBytesMax = 1_000_000
const rememberedMax = 1000

/** Receives webhook deliveries: verifies signatures, passes each event on once, and has failed events delivered again. */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { onEvent, onError = (error) => console.error(error), ...verification } = options
  const posts = createFinishedPosts(rememberedMax)
  const handledDeliveries = new Map<string, Promise<void>>()

  async function handle(event: WebhookEvent): Promise<void> {
    await onEvent?.(event)
    posts.record(event)
  }

  /** A repeated delivery gets the result of the first one, even if that is still being handled. */
  async function handleOnce(event: WebhookEvent): Promise<void> {
    const { deliveryId } = event
    const handling = handledDeliveries.get(deliveryId) ?? handle(event)
    handledDeliveries.set(deliveryId, handling)
    const [oldest] = handledDeliveries.keys()
    if (handledDeliveries.size > rememberedMax && oldest !== undefined) handledDeliveries.delete(oldest)
    try {
      await handling
    } catch (error) {
      handledDeliveries.delete(deliveryId)
      throw error
    }
  }

  async function receive(
    method: string | undefined,
    headers: WebhookHeaders,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    if (method !== 'POST') return 405
    const body = await collectBytes(chunks, bodyBytesMax)
    if (!body) return 413
    try {
      await handleOnce(await verifyWebhook({ ...verification, body, headers }))
      return 204
    } catch (error) {
      if (error instanceof WebhookVerificationError) return 400
      onError(error)
      return 500
    }
  }

  return {
    async fetch({ method, headers, body }) {
      return new Response(null, { status: await receive(method, headers, body ?? emptyBody()) })
    },
    listener(request, response) {
      receive(request.method, request.headers, request).then(
        (status) => response.writeHead(status).end(),
        // The sender closed the connection before the body was complete. It will deliver the event again.
        () => response.destroy(),
      )
    },
    waitUntilFinished: posts.waitUntilFinished,
  }
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
