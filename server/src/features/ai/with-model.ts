import type { Plan } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Principal } from '../../infra/http/principal.ts'
import { problem } from '../../infra/problem/problem.ts'
import { countTokens, usedTokens } from './ai-usage.store.ts'
import type { Model, Question } from './open-model.ts'

export type Asking = { ctx: Context; principal: Principal; nowMs: number }

/** The fields of the model's answer, unchecked; null when it gave something else. */
export type Ask = (question: Question) => Promise<Record<string, unknown> | null>

export function includesAi(plan: Plan): boolean {
  return plan !== 'free'
}

/**
 * Lends the model to one request, within one time limit however often it asks, and counts the tokens whatever comes of it. The request that
 * crosses the month's budget is answered; the next one is refused.
 */
export async function withModel<T>(asking: Asking, model: Model | null, work: (ask: Ask) => Promise<T>): Promise<T> {
  const { ctx, principal, nowMs } = asking
  if (!includesAi(principal.plan)) throw problem('plan_required', { message: 'The AI endpoints need the Pro or Business plan.' })
  const config = ctx.config.ai
  if (!config || !model)
    throw problem('ai_unavailable', { message: 'No AI model is configured on this server.', retryAfterSeconds: 3600 })

  const month = { workspaceId: principal.workspaceId, month: new Date(nowMs).toISOString().slice(0, 7) }
  if (config.monthlyTokens !== null) {
    const used = await ctx.db.tenant(principal.workspaceId, (tx) => usedTokens(tx, month))
    if (used >= config.monthlyTokens) throw budgetReached(config.monthlyTokens, nowMs)
  }

  const signal = AbortSignal.timeout(config.timeoutMs)
  let tokens = 0
  try {
    return await work(async (question) => {
      const told = await model.ask(question, signal)
      tokens += told.tokens
      if (told.isRefusal) throw problem('ai_refused')
      return told.fields
    })
  } finally {
    if (tokens > 0) await ctx.db.tenant(principal.workspaceId, (tx) => countTokens(tx, { ...month, tokens }))
  }
}

function budgetReached(budget: number, nowMs: number) {
  const now = new Date(nowMs)
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
  const amount = budget.toLocaleString('en')
  return problem('ai_budget_reached', {
    message: `The ${amount} AI tokens this workspace has for a month are used up. The next month starts on ${next} (UTC).`,
  })
}
