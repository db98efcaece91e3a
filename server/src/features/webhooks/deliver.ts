import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Message, signMessage } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { EgressError } from '../../infra/egress/egress-error.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { createRunPlaces } from '../../infra/queue/create-run-places.ts'
import { startSpan } from '../../infra/tracing/start-span.ts'
import { type Attempt, findAttempts } from './delivery.store.ts'
import { type DeliveryRef, jobKey } from './jobs.ts'
import { rememberEndpoint } from './prompt-webhooks.ts'
import { askedWaitMs } from './asked-wait-ms.ts'
import { chatTarget } from './chat/chat-address.ts'
import { openSecret } from './secret.ts'
import { type AttemptOutcome, type Outcome, isSuccess, settleAttempts } from './settle-attempt.ts'
import type { WebhookKey } from './webhook.store.ts'

/**
 * How long a run waits for the endpoint's response. Runs share the engine's slots with publishing, so endpoints that hang must not occupy
 * them.
 */
const responseWaitMs = 250
/** An endpoint that accepts everything within this time is prompt. It includes what this process takes itself when it is busy. */
const promptMs = 2_000

type Sending = { ref: DeliveryRef; attempt: Attempt; sent: Promise<Outcome>; outcome: Outcome | null; error: unknown }

const createPlaces = () => ({ value: createRunPlaces() })

export function runPlaces(ctx: Context) {
  return ctx.resources.get(createPlaces, ctx)
}

/**
 * Makes one attempt at each of these deliveries of one webhook. If the endpoint takes longer than the run waits, the run ends and this
 * process alone waits for the response. If the process stops first, the delivery is still pending and the dispatcher enqueues it again. So a
 * receiver may get an event twice, but no event is lost.
 */
export async function deliverAll(ctx: Context, refs: readonly DeliveryRef[]): Promise<Job[]> {
  const [first] = refs
  if (!first) return []
  const webhook = { workspaceId: first.workspaceId, id: first.webhookId }
  const attempts = await ctx.db.tenant(webhook.workspaceId, (tx) => findAttempts(tx, webhook, refs))
  const sendings = refs.flatMap((ref) => {
    const attempt = attempts.get(ref.deliveryId)
    return attempt ? [startSending(ctx, ref, attempt)] : []
  })
  if (sendings.length === 0) return []
  const endWaiting = runPlaces(ctx).take(webhook.workspaceId)
  const sent = sendings.map((each) => each.sent)
  if (endWaiting) await waitFor(sent, responseWaitMs).finally(endWaiting)
  // Read the outcomes once: a response that arrives after this is a late one.
  const answered = outcomesOf(sendings)
  const late = sendings.filter(({ outcome }) => !outcome)
  const arePrompt = answered.every(({ outcome }) => isPrompt(outcome))
  // Late responses are judged when they arrive.
  if (!arePrompt || late.length === 0) rememberEndpoint(ctx, webhook.id, { isPrompt: arePrompt })
  void settleLate(ctx, webhook, late)
  return settleAttempts(ctx, webhook, answered)
}

const notReceived = 'the person who set the webhook is not owner or admin of this workspace any more, or an owner has shut it out'

function startSending(ctx: Context, ref: DeliveryRef, attempt: Attempt): Sending {
  const { active, receives, disabled_reason: disabledReason } = attempt
  const off: Outcome = { kind: 'off', reason: receives ? disabledReason : notReceived }
  const sent = active && receives ? sendAttempt(ctx, ref, attempt) : Promise.resolve(off)
  const sending: Sending = { ref, attempt, sent, outcome: null, error: null }
  sent.then(
    (outcome) => (sending.outcome = outcome),
    (error: unknown) => (sending.error = error),
  )
  return sending
}

function outcomesOf(sendings: readonly Sending[]): AttemptOutcome[] {
  return sendings.flatMap(({ ref, attempt, outcome }) => (outcome ? [{ ref, attempt, outcome }] : []))
}

/**
 * Stores responses that arrive after the run has ended. Those that arrive soon after each other share a transaction: when this process is
 * busy, most responses are late. If this fails, the dispatcher finds the deliveries as it does after a crash.
 */
async function settleLate(ctx: Context, webhook: WebhookKey, late: readonly Sending[]): Promise<void> {
  for (let waiting = late; waiting.length > 0;) {
    const sent = waiting.map((each) => each.sent)
    try {
      await waitFor(sent, responseWaitMs)
    } catch {
      // A failure of our own. It is in `error` too.
    }
    const answered = outcomesOf(waiting)
    const failed = waiting.filter(({ error }) => error !== null)
    waiting = waiting.filter(({ outcome, error }) => outcome === null && error === null)
    for (const { ref, error } of failed) warnUnstored(ctx, [ref], error)
    try {
      if (answered.length === 0) continue
      rememberEndpoint(ctx, webhook.id, { isPrompt: answered.every(({ outcome }) => isPrompt(outcome)) })
      for (const job of await settleAttempts(ctx, webhook, answered))
        await ctx.engine.send(job, jobKey(job.payload as DeliveryRef))
    } catch (error) {
      warnUnstored(
        ctx,
        answered.map(({ ref }) => ref),
        error,
      )
    }
  }
}

function warnUnstored(ctx: Context, refs: readonly DeliveryRef[], error: unknown): void {
  const deliveries = refs.map(({ deliveryId }) => deliveryId)
  ctx.log.warn({ err: error, deliveries }, 'late webhook responses could not be stored; the deliveries will be enqueued again')
}

function isPrompt(outcome: Outcome): boolean {
  return isSuccess(outcome) && outcome.kind === 'answered' && outcome.durationMs <= promptMs
}

/** Waits until all have an outcome, at most this long. */
async function waitFor(sent: readonly Promise<Outcome>[], waitMs: number): Promise<void> {
  const timer = new AbortController()
  const timeout = sleep(waitMs, null, { signal: timer.signal }).catch(() => null)
  try {
    await Promise.race([Promise.all(sent), timeout])
  } finally {
    timer.abort()
  }
}

const timeoutMs = 10_000
/** More than we store, so that an ordinary response is read to its end and the connection can be reused. */
const responseBytesMax = 65_536
const storedBytesMax = 4096

/** Sends a delivery to its endpoint. Redirects are not followed, so that only the registered URL receives events. */
async function sendAttempt(ctx: Context, ref: DeliveryRef, attempt: Attempt): Promise<Outcome> {
  const startedMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedMs)
  const span = startSpan(ctx, 'webhook attempt', { kind: 'client', attributes: { 'carillon.event': attempt.event } })
  try {
    const reply = await ctx.egress.request({
      method: 'POST',
      url: targetOf(ctx, ref, attempt),
      headers: headersOf(ctx, ref, attempt),
      body: attempt.body,
      timeoutMs,
      bytesMax: responseBytesMax,
      overflow: 'cut',
      https: true,
    })
    span?.end({ attributes: { 'http.response.status_code': reply.status }, hasFailed: reply.status >= 400 })
    return {
      kind: 'answered',
      statusCode: reply.status,
      text: textOf(reply.body),
      durationMs: durationMs(),
      askedWaitMs: askedWaitMs(ctx, attempt, reply),
    }
  } catch (error) {
    span?.end({ attributes: { 'error.type': error instanceof EgressError ? error.code : 'bug' }, hasFailed: true })
    if (!(error instanceof EgressError)) throw error
    const reason = error.code === 'timeout' ? `timeout after ${Math.round(durationMs() / 1000)} s` : error.message
    return { kind: 'unanswered', reason, durationMs: durationMs() }
  }
}

function targetOf(
  ctx: Context,
  { workspaceId, webhookId }: DeliveryRef,
  { url, format, address_sealed: sealed }: Attempt,
): string {
  return format === 'json' || sealed === null ? url : chatTarget(ctx, { workspaceId, id: webhookId, format, sealed })
}

function headersOf(ctx: Context, { workspaceId, webhookId, deliveryId }: DeliveryRef, attempt: Attempt): Record<string, string> {
  if (attempt.format !== 'json') return { 'content-type': 'application/json', 'user-agent': 'Carillon-Webhooks' }
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

/**
 * Returns the headers that prove that a delivery is ours: our own signature of the exact body, and the three headers of Standard Webhooks
 * for receivers that also reject replays. After a rotation there are signatures with the new and the previous secret.
 */
export function signDelivery(message: Message, secret: string, previous: string | null): Record<string, string> {
  const secrets = previous === null ? [secret] : [secret, previous]
  return {
    'x-webhook-signature': bodySignature(message.body, secret),
    ...(previous !== null && { 'x-webhook-signature-previous': bodySignature(message.body, previous) }),
    ...signMessage(message, secrets),
  }
}

/** The key is the whole secret as it is written, including its prefix. */
function bodySignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
