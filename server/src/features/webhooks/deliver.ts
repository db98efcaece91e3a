import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { findAttempt, type Attempt } from './delivery.store.ts'
import { jobKey, type DeliveryRef } from './jobs.ts'
import { rememberEndpoint } from './prompt-webhooks.ts'
import { sendAttempt } from './send-attempt.ts'
import { isSuccess, settleAttempt, type Outcome } from './settle-attempt.ts'

/**
 * How long a run waits for the endpoint's response. Runs share the engine's slots with publishing, so endpoints that hang must not occupy
 * them.
 */
const responseWaitMs = 250

/**
 * Makes one attempt at a delivery. If the endpoint takes longer than the run waits, the run ends and this process alone waits for the
 * response. If the process stops first, the delivery is still pending and the dispatcher enqueues it again. So a receiver may get an
 * event twice, but no event is lost.
 */
export async function deliver(ctx: Context, ref: DeliveryRef): Promise<Job[]> {
  const attempt = await ctx.db.tenant(ref.workspaceId, (tx) => findAttempt(tx, ref))
  if (!attempt) return []
  if (!attempt.active) return settleAttempt(ctx, ref, attempt, { kind: 'off', reason: attempt.disabled_reason })

  const sending = sendAttempt(ctx, ref, attempt)
  const outcome = await waitFor(sending, responseWaitMs)
  rememberEndpoint(ctx, ref.webhookId, { isPrompt: outcome !== null && isSuccess(outcome) })
  if (outcome) return settleAttempt(ctx, ref, attempt, outcome)
  void settleLate(ctx, { ref, attempt, sending })
  return []
}

type LateAttempt = { ref: DeliveryRef; attempt: Attempt; sending: Promise<Outcome> }

/** Stores a response that arrives after the run has ended. If this fails, the dispatcher finds the delivery as it does after a crash. */
async function settleLate(ctx: Context, { ref, attempt, sending }: LateAttempt): Promise<void> {
  try {
    const jobs = await settleAttempt(ctx, ref, attempt, await sending)
    const next = { ...ref, generation: ref.generation + 1 }
    for (const job of jobs) await ctx.engine.send(job, jobKey(next))
  } catch (error) {
    ctx.log.warn(
      { err: error, delivery: ref.deliveryId },
      'a late webhook response could not be stored; the delivery will be enqueued again',
    )
  }
}

/** Null if there is no outcome within this time. */
async function waitFor(sending: Promise<Outcome>, waitMs: number): Promise<Outcome | null> {
  const timer = new AbortController()
  const outcome = await Promise.race([sending, sleep(waitMs, null, { signal: timer.signal }).catch(() => null)])
  timer.abort()
  return outcome
}
