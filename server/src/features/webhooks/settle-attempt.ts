import type { Webhook } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { getMetrics, statusClass } from '../../infra/metrics/get-metrics.ts'
import { disableAccountWebhook } from './account/account-webhook.store.ts'
import { settleDeliveries, trimDeliveries, type Attempt, type Settlement } from './delivery.store.ts'
import { deliverJob, type DeliveryRef } from './jobs.ts'
import { deliveriesKept } from './present-delivery.ts'
import { disableWebhook, type WebhookKey } from './webhook.store.ts'

/** The outcome of an attempt; `off` if nothing was sent because the webhook is disabled or may not receive the event any more. */
export type Outcome =
  | { kind: 'answered'; statusCode: number; text: string; durationMs: number; askedWaitMs?: number | undefined }
  | { kind: 'unanswered'; reason: string; durationMs: number }
  | { kind: 'off'; reason: string | null }

const gone = 410
const goneReason = 'The endpoint answered 410 Gone, which means that it does not want any more events.'

export type AttemptOutcome = { ref: DeliveryRef; attempt: Attempt; outcome: Outcome }

type Retries = NonNullable<Webhook['retries']>

const firstWaitMs = 10_000
const longestWaitMs = 4.5 * 3_600_000
const spread = 0.1

/** `day` waits 23.7 hours in all. */
const retriesMax: Readonly<Record<Retries, number>> = { short: 5, day: 15 }

/** Nobody can put a delivery off for longer by asking for it. */
const askedMsMax = 3_600_000

/** A receiver that has had enough says when it takes more. */
function askedOf(outcome: Outcome): number {
  return outcome.kind === 'answered' ? Math.min(outcome.askedWaitMs ?? 0, askedMsMax) : 0
}

/** Stores the outcomes of attempts at deliveries of one webhook, in one transaction. Returns the jobs for the retries. */
export async function settleAttempts(ctx: Context, webhook: WebhookKey, outcomes: readonly AttemptOutcome[]): Promise<Job[]> {
  if (outcomes.length === 0) return []
  const planned = outcomes.map(({ ref, attempt, outcome }) => {
    const plannedMs = isWorthRetrying(outcome) ? retryWaitMs(attempt.tries + 1, Math.random(), attempt.retries) : null
    const waitMs = plannedMs === null ? null : Math.max(plannedMs, askedOf(outcome))
    return { ref, waitMs, settlement: settlementOf(outcome, attempt.url, ctx.nowMs(), waitMs) }
  })
  const refusing = outcomes.find(({ outcome }) => isGone(outcome))?.attempt
  const disabling = refusing && { url: refusing.url, reason: goneReason, at: new Date(ctx.nowMs()) }
  // An endpoint that wants no more events wants none of any workspace.
  if (disabling && refusing.account_webhook_id !== null) await disableAccountWebhook(ctx.db.system, webhook.id, disabling)
  const { generations, hasWaiting } = await ctx.db.tenant(webhook.workspaceId, async (tx) => {
    // The webhook is updated before the deliveries, because removing a webhook locks the rows in this order.
    if (disabling && refusing.account_webhook_id === null) await disableWebhook(tx, webhook, disabling)
    const settled = await settleDeliveries(tx, webhook, planned)
    const hasEnded = planned.some(({ ref, waitMs }) => waitMs === null && settled.generations.has(ref.deliveryId))
    if (hasEnded) await trimDeliveries(tx, webhook, deliveriesKept)
    return settled
  })
  for (const { outcome } of outcomes) getMetrics(ctx).webhookAttempts.inc({ outcome: labelOf(outcome) })
  // Other deliveries of this webhook may start now.
  if (hasWaiting) ctx.engine.wakeWorkers()
  return planned.flatMap(({ ref, waitMs }) => {
    const generation = generations.get(ref.deliveryId)
    return waitMs === null || generation === undefined ? [] : [deliverJob({ ...ref, generation }, waitMs)]
  })
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

/**
 * How long to wait after the nth failed try: 10, 20, 40, 80, 160 s and, if the webhook wants it, on like this up to 4.5 hours. Each wait is up
 * to a tenth shorter or longer, so that an endpoint that was down does not get all retries at once. Null if no try is left. `random` is
 * between 0 and 1.
 */
export function retryWaitMs(tries: number, random: number, retries: Retries): number | null {
  if (tries > retriesMax[retries]) return null
  return Math.round(Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (1 - spread + 2 * spread * random))
}
