import type { Context } from '../../context.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import { startSpan } from '../../infra/tracing/start-span.ts'
import type { Attempt } from './delivery.store.ts'
import type { DeliveryRef } from './jobs.ts'
import { openSecret } from './secret.ts'
import type { Outcome } from './settle-attempt.ts'
import { signDelivery } from './sign-delivery.ts'

const timeoutMs = 10_000
/** More than we store, so that an ordinary response is read to its end and the connection can be reused. */
const responseBytesMax = 65_536
const storedBytesMax = 4096

/** Sends a delivery to its endpoint. Redirects are not followed, so that only the registered URL receives events. */
export async function sendAttempt(ctx: Context, ref: DeliveryRef, attempt: Attempt): Promise<Outcome> {
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  const span = startSpan(ctx, 'webhook attempt', { kind: 'client', attributes: { 'carillon.event': attempt.event } })
  try {
    const reply = await ctx.egress.request({
      method: 'POST',
      url: attempt.url,
      headers: headersOf(ctx, ref, attempt),
      body: attempt.body,
      timeoutMs,
      bytesMax: responseBytesMax,
      overflow: 'cut',
      https: true,
    })
    span?.end({ attributes: { 'http.response.status_code': reply.status }, hasFailed: reply.status >= 400 })
    return { kind: 'answered', statusCode: reply.status, text: textOf(reply.body), durationMs: durationMs() }
  } catch (error) {
    span?.end({ attributes: { 'error.type': error instanceof EgressError ? error.code : 'bug' }, hasFailed: true })
    if (!(error instanceof EgressError)) throw error
    const reason = error.code === 'timeout' ? `timeout after ${Math.round(durationMs() / 1000)} s` : error.message
    return { kind: 'unanswered', reason, durationMs: durationMs() }
  }
}

function headersOf(ctx: Context, { workspaceId, webhookId, deliveryId }: DeliveryRef, attempt: Attempt): Record<string, string> {
  // What an account set is sealed without a workspace.
  const row = { workspaceId: attempt.account_webhook_id === null ? workspaceId : '', id: webhookId }
  const atMs = ctx.nowMs()
  const { previous_secret_sealed: sealed, previous_secret_until: until } = attempt
  const previous = sealed && until && until.getTime() > atMs ? openSecret(ctx, row, 'previous_secret', sealed) : null
  const secret = openSecret(ctx, row, 'secret', attempt.secret_sealed)
  return {
    'content-type': 'application/json',
    'user-agent': 'Carillon-Webhooks',
    'x-webhook-event': attempt.event,
    'x-webhook-delivery': deliveryId,
    ...signDelivery({ id: deliveryId, atMs, body: attempt.body }, secret, previous),
  }
}

/** The beginning of a response as text that PostgreSQL can store: without NUL, and without an incomplete character at the end. */
export function textOf(body: Buffer): string {
  return new TextDecoder().decode(body.subarray(0, storedBytesMax), { stream: true }).replaceAll('\0', '')
}
