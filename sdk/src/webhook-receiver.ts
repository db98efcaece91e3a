import { collectBytes } from './collect-bytes.ts'
import { createFinishedPosts, type FinishedPosts } from './finished-posts.ts'
import type { WebhookEvent } from './types.gen.ts'
import { verifyWebhook, WebhookVerificationError, type HeaderBag, type WebhookToVerify } from './verify-webhook.ts'

export type WebhookReceiverOptions = Pick<WebhookToVerify, 'secret' | 'toleranceSeconds' | 'requireTimestamp'> & {
  /** Gets each event once. Only when it has ended is the delivery taken; if it fails, Carillon delivers the event again later. */
  onEvent?: (event: WebhookEvent) => unknown
  /** What `onEvent` failed with; written to the console unless given. */
  onError?: (error: unknown) => void
}

// What is used of a request and a response of Node's: nothing of Node is imported.
type NodeRequest = AsyncIterable<Uint8Array> & { method?: string | undefined; headers: HeaderBag }
type NodeResponse = { writeHead: (status: number) => { end: () => unknown }; destroy: () => unknown }

export type WebhookReceiver = Pick<FinishedPosts, 'waitUntilFinished'> & {
  /** For whatever speaks in Requests and Responses: Next.js, Hono, Deno, Bun, Workers. */
  fetch: (request: Request) => Promise<Response>
  /** For the http and https servers of Node, and for Express in front of its body parsers. */
  listener: (request: NodeRequest, response: NodeResponse) => void
}

const bodyBytesMax = 1_000_000
const rememberedMax = 1000

/** Takes deliveries in: believes only what is signed, gives each event once, and answers so that none is lost. */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const { onEvent, onError = (error) => console.error(error), ...proof } = options
  const posts = createFinishedPosts(rememberedMax)
  const taken = new Map<string, Promise<void>>()

  async function take(event: WebhookEvent): Promise<void> {
    await onEvent?.(event)
    posts.note(event)
  }

  /** A delivery that comes again, even while the first is still at work, shares what becomes of that one. */
  async function takeOnce(event: WebhookEvent): Promise<void> {
    const { deliveryId } = event
    const taking = taken.get(deliveryId) ?? take(event)
    taken.set(deliveryId, taking)
    const [oldest] = taken.keys()
    if (taken.size > rememberedMax && oldest !== undefined) taken.delete(oldest)
    try {
      await taking
    } catch (error) {
      taken.delete(deliveryId)
      throw error
    }
  }

  async function receive(method: string | undefined, headers: HeaderBag, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    if (method !== 'POST') return 405
    const body = await collectBytes(chunks, bodyBytesMax)
    if (!body) return 413
    try {
      await takeOnce(await verifyWebhook({ ...proof, body, headers }))
      return 204
    } catch (error) {
      if (error instanceof WebhookVerificationError) return 400
      onError(error)
      return 500
    }
  }

  return {
    async fetch({ method, headers, body }) {
      return new Response(null, { status: await receive(method, headers, body ?? nothing()) })
    },
    listener(request, response) {
      receive(request.method, request.headers, request).then(
        (status) => response.writeHead(status).end(),
        // The sender hung up before it had said everything: it will deliver again.
        () => response.destroy(),
      )
    },
    waitUntilFinished: posts.waitUntilFinished,
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
