import type { Context } from '../../context.ts'
import { problem } from '../../infra/problem/problem.ts'
import { reserveQuota, type Quota, type Reservation } from '../../infra/quota/reserve-quota.ts'

const dayMs = 86_400_000
/** About what a request costs. It is set aside while the model works, so that requests at the same time do not pass a limit together. */
const tokensExpected = 2000

type Allowances = { dailyTokensPerPerson: number; dailyTokens: number }

/** Sets tokens aside from the allowances of the person, in all their workspaces, and of the installation. */
export function reserveTokens(
  ctx: Context,
  personId: string,
  { dailyTokensPerPerson, dailyTokens }: Allowances,
): Promise<Reservation> {
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
