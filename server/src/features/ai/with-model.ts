import type { Plan } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Principal } from '../../infra/http/principal.ts'
import { problem } from '../../infra/problem/problem.ts'
import { reserveQuota, type Quota, type Reservation } from '../../infra/quota/reserve-quota.ts'
import { addUsedTokens, findUsedTokens } from './ai-usage.store.ts'
import type { Model, Prompt } from './open-model.ts'

export type AiScope = { ctx: Context; principal: Principal; nowMs: number }

/** Returns the fields of the model's answer, which are not validated; null if the answer is not a JSON object. */
export type AskModel = (prompt: Prompt) => Promise<Record<string, unknown> | null>

const dayMs = 86_400_000
/** About what a request costs. It is set aside while the model works, so that requests at the same time do not pass a limit together. */
const tokensExpected = 2000

type Allowances = { dailyTokensPerPerson: number; dailyTokens: number }

export function includesAi(plan: Plan): boolean {
  return plan !== 'free'
}

/**
 * Gives one request access to the model. All its prompts share one timeout, and their tokens are counted even if the request fails. The
 * request that exceeds a budget, of the month or of the day, is still answered; the next one is refused.
 */
export async function withModel<T>(scope: AiScope, model: Model | null, work: (ask: AskModel) => Promise<T>): Promise<T> {
  const { ctx, principal, nowMs } = scope
  if (!includesAi(principal.plan)) throw problem('plan_required', { message: 'The AI endpoints need the Pro or Business plan.' })
  const config = ctx.config.ai
  if (!config || !model)
    throw problem('ai_unavailable', { message: 'No AI model is configured on this server.', retryAfterSeconds: 3600 })

  const month = { workspaceId: principal.workspaceId, month: new Date(nowMs).toISOString().slice(0, 7) }
  if (config.monthlyTokens !== null) {
    const used = await ctx.db.tenant(principal.workspaceId, (tx) => findUsedTokens(tx, month))
    if (used >= config.monthlyTokens) throw budgetReached(config.monthlyTokens, nowMs)
  }

  const reservation = await reserveTokens(ctx, principal.personId, config)
  const signal = AbortSignal.timeout(config.timeoutMs)
  let tokens = 0
  try {
    return await work(async (prompt) => {
      const answer = await model.ask(prompt, signal)
      tokens += answer.tokens
      if (answer.isRefusal) throw problem('ai_refused')
      return answer.fields
    })
  } finally {
    await reservation.settle(tokens)
    if (tokens > 0) await ctx.db.tenant(principal.workspaceId, (tx) => addUsedTokens(tx, { ...month, tokens }))
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

/** Sets tokens aside from the allowances of the person, in all their workspaces, and of the installation. */
function reserveTokens(ctx: Context, personId: string, { dailyTokensPerPerson, dailyTokens }: Allowances): Promise<Reservation> {
  const ofPerson: Quota = { name: 'ai tokens of person', of: personId, max: dailyTokensPerPerson, windowMs: dayMs }
  const ofAll: Quota = { name: 'ai tokens of installation', of: '', max: dailyTokens, windowMs: dayMs }
  return reserveQuota(
    ctx,
    [ofPerson, ofAll],
    (quota, retryAfterSeconds) => {
      const amount = quota.max.toLocaleString('en')
      const hours = Math.ceil(retryAfterSeconds / 3600)
      const when = hours === 1 ? 'within one hour' : `in ${hours} hours`
      const message =
        quota === ofPerson
          ? `You have used the ${amount} AI tokens that a person has for 24 hours, in all workspaces together. More are available ${when}.`
          : `This installation has used the ${amount} AI tokens that it has for 24 hours. More are available ${when}.`
      return problem('ai_daily_limit_reached', { message, retryAfterSeconds })
    },
    tokensExpected,
  )
}
