import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'
import { statusClass } from '../../infra/metrics/status-class.ts'
import { settleDelivery, trimDeliveries, type Attempt, type Settlement } from './delivery.store.ts'
import { deliverJob, type DeliveryRef } from './jobs.ts'
import { deliveriesKept } from './list-deliveries.ts'
import { retryWaitMs } from './retry-wait.ts'
import { disableWebhook } from './webhook.store.ts'

/** The outcome of an attempt; `off` if nothing was sent because the webhook is disabled. */
export type Outcome =
  | { kind: 'answered'; statusCode: number; text: string; durationMs: number }
  | { kind: 'unanswered'; reason: string; durationMs: number }
  | { kind: 'off'; reason: string | null }

const gone = 410
const goneReason = 'The endpoint answered 410 Gone, which means that it does not want any more events.'

/** Stores the outcome of an attempt. Returns the job for the retry, if there is one. */
export async function settleAttempt(ctx: Context, ref: DeliveryRef, attempt: Attempt, outcome: Outcome): Promise<Job[]> {
  const waitMs = isWorthRetrying(outcome) ? retryWaitMs(attempt.tries + 1, Math.random()) : null
  const settlement = settlementOf(outcome, attempt.url, ctx.nowMs(), waitMs)
  const settled = await ctx.db.tenant(ref.workspaceId, async (tx) => {
    const key = { workspaceId: ref.workspaceId, id: ref.webhookId }
    // The webhook is updated before the delivery, because removing a webhook locks the rows in this order.
    if (isGone(outcome)) await disableWebhook(tx, key, { url: attempt.url, reason: goneReason, at: new Date(ctx.nowMs()) })
    const written = await settleDelivery(tx, ref, settlement)
    if (written && waitMs === null) await trimDeliveries(tx, key, deliveriesKept)
    return written
  })
  getMetrics(ctx).webhookAttempts.inc({ outcome: labelOf(outcome) })
  if (!settled) return []
  // Another delivery of this webhook may start now.
  if (settled.hasWaiting) ctx.engine.wakeWorkers()
  return waitMs === null ? [] : [deliverJob({ ...ref, generation: settled.generation }, waitMs)]
}

function settlementOf(outcome: Outcome, url: string, nowMs: number, waitMs: number | null): Settlement {
  const status = isSuccess(outcome) ? 'delivered' : waitMs === null ? 'failed' : 'pending'
  const times = {
    deliveredAt: status === 'delivered' ? new Date(nowMs) : null,
    nextAttemptAt: waitMs === null ? null : new Date(nowMs + waitMs),
  }
  if (outcome.kind !== 'off') {
    const { durationMs } = outcome
    const [statusCode, responseBody] = outcome.kind === 'answered' ? [outcome.statusCode, outcome.text] : [0, outcome.reason]
    return { status, ...times, url, statusCode, responseBody, durationMs }
  }
  const reason = `not sent: ${outcome.reason ?? 'the webhook is disabled'}`
  return { status, ...times, url: null, statusCode: 0, responseBody: reason, durationMs: null }
}

function labelOf(outcome: Outcome): string {
  if (outcome.kind !== 'answered') return outcome.kind
  return isSuccess(outcome) ? 'delivered' : statusClass(outcome.statusCode)
}

function isWorthRetrying(outcome: Outcome): boolean {
  return outcome.kind !== 'off' && !isSuccess(outcome) && !isGone(outcome)
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.statusCode >= 200 && outcome.statusCode < 300
}

function isGone(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.statusCode === gone
}
