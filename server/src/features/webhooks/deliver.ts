import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { findAttempts, type Attempt } from './delivery.store.ts'
import { jobKey, type DeliveryRef } from './jobs.ts'
import { rememberEndpoint } from './prompt-webhooks.ts'
import { sendAttempt } from './send-attempt.ts'
import { isSuccess, settleAttempts, type Outcome } from './settle-attempt.ts'

/**
 * How long a run waits for the endpoint's response. Runs share the engine's slots with publishing, so endpoints that hang must not occupy
 * them.
 */
const responseWaitMs = 250

type Sending = { ref: DeliveryRef; attempt: Attempt; sent: Promise<Outcome>; outcome: Outcome | null }

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
  await waitFor(
    sendings.map(({ sent }) => sent),
    responseWaitMs,
  )
  // Read the outcomes once: a response that arrives after this is a late one.
  const answered = sendings.flatMap(({ ref, attempt, outcome }) => (outcome ? [{ ref, attempt, outcome }] : []))
  const late = sendings.filter(({ outcome }) => !outcome)
  rememberEndpoint(ctx, webhook.id, { isPrompt: late.length === 0 && answered.every(({ outcome }) => isSuccess(outcome)) })
  for (const each of late) void settleLate(ctx, each)
  return settleAttempts(ctx, webhook, answered)
}

function startSending(ctx: Context, ref: DeliveryRef, attempt: Attempt): Sending {
  const off: Outcome = { kind: 'off', reason: attempt.disabled_reason }
  const sent = attempt.active ? sendAttempt(ctx, ref, attempt) : Promise.resolve(off)
  const sending: Sending = { ref, attempt, sent, outcome: null }
  // A failure of our own is thrown where `sent` is awaited.
  sent.then(
    (outcome) => (sending.outcome = outcome),
    () => {},
  )
  return sending
}

/** Stores a response that arrives after the run has ended. If this fails, the dispatcher finds the delivery as it does after a crash. */
async function settleLate(ctx: Context, { ref, attempt, sent }: Sending): Promise<void> {
  try {
    const webhook = { workspaceId: ref.workspaceId, id: ref.webhookId }
    const jobs = await settleAttempts(ctx, webhook, [{ ref, attempt, outcome: await sent }])
    const next = { ...ref, generation: ref.generation + 1 }
    for (const job of jobs) await ctx.engine.send(job, jobKey(next))
  } catch (error) {
    ctx.log.warn(
      { err: error, delivery: ref.deliveryId },
      'a late webhook response could not be stored; the delivery will be enqueued again',
    )
  }
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
