import { createHash } from 'node:crypto'
import type { Database } from '../db/db.ts'
import type { Problem } from '../problem/problem.ts'
import { countUse, undoUse } from './quota.store.ts'

type QuotaContext = { db: Pick<Database, 'system'>; nowMs(): number }

/** An allowance of `max` uses in a time window. `of` is the person, workspace or address that it belongs to. */
export type Quota = { name: string; of: string; max: number; windowMs: number }

export type Reservation = {
  /** The request that reserved was refused or repeated, so nothing was used. */
  giveBack(): Promise<void>
}

/** Takes one use of each quota, or of none if one of them is used up. It is shared between all processes. */
export async function reserveQuota(
  { db: { system }, nowMs }: QuotaContext,
  quotas: readonly Quota[],
  refuse: (quota: Quota, retryAfterSeconds: number) => Problem,
): Promise<Reservation> {
  const taken: Buffer[] = []
  const giveBack = async () => {
    for (const key of taken.splice(0)) await undoUse(system, key)
  }
  for (const quota of quotas.filter(({ max }) => max !== Infinity)) {
    const now = nowMs()
    const key = keyOf(quota)
    const { used, endsAt } = await countUse(system, { key, now: new Date(now), endsAt: new Date(now + quota.windowMs) })
    taken.push(key)
    if (used <= quota.max) continue
    await giveBack()
    throw refuse(quota, Math.max(1, Math.ceil((endsAt.getTime() - now) / 1000)))
  }
  return { giveBack }
}

function keyOf({ name, of }: Quota): Buffer {
  return createHash('sha256').update(`${name} ${of}`).digest()
}
