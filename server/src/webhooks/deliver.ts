import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Errand } from '../engine/engine.ts'
import { findAttempt, type Attempt } from './delivery.store.ts'
import { errandKey, type Ticket } from './errands.ts'
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
export async function deliver(ctx: Context, ticket: Ticket): Promise<Errand[]> {
  const attempt = await ctx.db.tenant(ticket.workspaceId, (tx) => findAttempt(tx, ticket))
  if (!attempt) return []
  if (!attempt.active) return settleAttempt(ctx, ticket, attempt, { kind: 'off', reason: attempt.disabled_reason })

  const sending = sendAttempt(ctx, ticket, attempt)
  const outcome = await within(patienceMs, sending)
  if (outcome) return settleAttempt(ctx, ticket, attempt, outcome)
  void settleLate(ctx, { ticket, attempt, sending })
  return []
}

type Late = { ticket: Ticket; attempt: Attempt; sending: Promise<Outcome> }

/** The answer came after the run had ended. Should anything fail here, the dispatcher finds the delivery as it finds one after a crash. */
async function settleLate(ctx: Context, { ticket, attempt, sending }: Late): Promise<void> {
  try {
    const errands = await settleAttempt(ctx, ticket, attempt, await sending)
    const next = { ...ticket, generation: ticket.generation + 1 }
    for (const errand of errands) await ctx.engine.send(errand, errandKey(next))
  } catch (error) {
    ctx.log.warn(
      { err: error, delivery: ticket.deliveryId },
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
