import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { findAttempt, type Attempt } from './delivery.store.ts'
import { jobKey, type DeliveryRef } from './jobs.ts'
import { sendAttempt } from './send-attempt.ts'
import { settleAttempt, type Outcome } from './settle-attempt.ts'

/**
 * How long a run waits for the endpoint. Runs share the engine's slots with publishing; endpoints that hang, however many there are, may
 * not fill them.
 */
const patienceMs = 250

/**
 * Makes one attempt at a delivery. An endpoint that takes longer than the run waits is heard by this process alone; should the process
 * die first, the delivery is still pending and the dispatcher hands it over again. So a receiver may hear an event twice, never not at all.
 */
export async function deliver(ctx: Context, ref: DeliveryRef): Promise<Job[]> {
  const attempt = await ctx.db.tenant(ref.workspaceId, (tx) => findAttempt(tx, ref))
  if (!attempt) return []
  if (!attempt.active) return settleAttempt(ctx, ref, attempt, { kind: 'off', reason: attempt.disabled_reason })

  const sending = sendAttempt(ctx, ref, attempt)
  const outcome = await within(patienceMs, sending)
  if (outcome) return settleAttempt(ctx, ref, attempt, outcome)
  void settleLate(ctx, { ref, attempt, sending })
  return []
}

type Late = { ref: DeliveryRef; attempt: Attempt; sending: Promise<Outcome> }

/** The answer came after the run had ended. Should anything fail here, the dispatcher finds the delivery as it finds one after a crash. */
async function settleLate(ctx: Context, { ref, attempt, sending }: Late): Promise<void> {
  try {
    const jobs = await settleAttempt(ctx, ref, attempt, await sending)
    const next = { ...ref, generation: ref.generation + 1 }
    for (const job of jobs) await ctx.engine.send(job, jobKey(next))
  } catch (error) {
    ctx.log.warn(
      { err: error, delivery: ref.deliveryId },
      'a late answer was not settled; the delivery will be handed over again',
    )
  }
}

async function within(waitMs: number, sending: Promise<Outcome>): Promise<Outcome | null> {
  const patience = new AbortController()
  const outcome = await Promise.race([sending, sleep(waitMs, null, { signal: patience.signal }).catch(() => null)])
  patience.abort()
  return outcome
}
