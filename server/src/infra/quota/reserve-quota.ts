import { createHash } from 'node:crypto'
import type { Database } from '../db/db.ts'
import type { Problem } from '../problem/problem.ts'
import { correctUse, countUse } from './quota.store.ts'

type QuotaContext = { db: Pick<Database, 'system'>; nowMs(): number }

/** An allowance of `max` uses in a time window. `of` is the person, workspace or address that it belongs to. */
export type Quota = { name: string; of: string; max: number; windowMs: number }

export type Reservation = {
  /** The request that reserved was refused or repeated, so nothing was used. */
  giveBack(): Promise<void>
  /** What was used is another amount than the reserved one. */
  settle(used: number): Promise<void>
}

type Refuse = (quota: Quota, retryAfterSeconds: number) => Problem

/**
 * Takes an amount of each quota, or of none if one of them is used up. The one that exceeds a quota still passes. It is shared between all
 * processes.
 */
export async function reserveQuota(
  { db: { system }, nowMs }: QuotaContext,
  quotas: readonly Quota[],
  refuse: Refuse,
  amount = 1,
): Promise<Reservation> {
  const taken: Buffer[] = []
  const settle = async (used: number) => {
    for (const key of taken.splice(0)) if (used !== amount) await correctUse(system, key, used - amount)
  }
  for (const quota of quotas.filter(({ max }) => max !== Infinity)) {
    const now = nowMs()
    const key = keyOf(quota)
    const window = { now: new Date(now), endsAt: new Date(now + quota.windowMs) }
    const { used, endsAt } = await countUse(system, { key, amount, ...window })
    taken.push(key)
    if (used - amount < quota.max) continue
    await settle(0)
    throw refuse(quota, Math.max(1, Math.ceil((endsAt.getTime() - now) / 1000)))
  }
  return { settle, giveBack: () => settle(0) }
}

function keyOf({ name, of }: Quota): Buffer {
  return createHash('sha256').update(`${name} ${of}`).digest()
}
