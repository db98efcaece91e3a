import type { Context } from '../../context.ts'
import { getMetrics } from './get-metrics.ts'

/**
 * Reports the counts that alert rules compare as 0 from the start. A rule sees how much a number has risen; a number that first appears
 * as 1 has not risen, so the first unconfirmed post or the first calls to a platform that is down would go unnoticed.
 */
export function startAtZero(ctx: Context): void {
  const { outcomes, lateness, platformCalls, renewals, webhookAttempts, mails, decodersWaiting } = getMetrics(ctx)
  for (const platform of Object.keys(ctx.connectors)) {
    for (const code of ['outcome_unknown', 'restored']) outcomes.inc({ platform, outcome: 'unconfirmed', code }, 0)
    lateness.zero({ platform })
    for (const status of ['2xx', '4xx', '5xx', 'none']) platformCalls.zero({ platform, status })
    for (const outcome of ['issued', 'refused', 'unavailable']) renewals.inc({ platform, outcome }, 0)
  }
  for (const outcome of ['delivered', 'unanswered', '5xx']) webhookAttempts.inc({ outcome }, 0)
  for (const outcome of ['sent', 'later', 'failed']) mails.inc({ outcome }, 0)
  // "Above 0 for ten minutes" would be true at once for a number that was never seen as 0.
  for (const queue of ['inspect', 'render']) decodersWaiting.inc({ queue }, 0)
}
