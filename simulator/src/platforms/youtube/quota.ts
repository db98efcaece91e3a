import type { Account } from '../../state/entities.ts'
import type { Limit } from '../../state/limits.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refuseWith } from './errors.ts'

const dayMs = 86_400_000

/**
 * developers.google.com/youtube/v3/determine_quota_cost: a project has 100 uploads a day in a bucket of their own, and 10,000 units for
 * everything else. Here every account counts as the only one of its project, because tests share one simulator.
 */
export const limits: Record<string, Limit> = {
  uploads: { max: 100, windowMs: dayMs, per: 'account' },
  units: { max: 10_000, windowMs: dayMs, per: 'account' },
}

export const readCost = 1
export const writeCost = 50

/** A used-up quota is a 403 and not a 429, and no header tells when it ends. */
export function spend(context: PlatformContext, account: Account, limit: 'uploads' | 'units', cost: number): void {
  const status = context.limits.charge(account, { limit, cost }, context.now())
  if (status?.exceeded === true)
    throw refuseWith(403, 'quotaExceeded', 'The request cannot be completed because you have exceeded your quota.')
}
