import type { Account, LimitUsage } from './entities.ts'

/** `account` counts each account separately; `platform` counts all calls, as limits per app or per IP address do. */
export type Limit = { max: number; windowMs: number; per: 'account' | 'platform' }
export type Charge = { limit: string; cost: number }
export type LimitStatus = {
  limit: string
  max: number
  windowMs: number
  remaining: number
  resetAtMs: number
  exceeded: boolean
}

/** Rate limits with fixed windows, as most platforms document them. */
export class Limits {
  readonly #documented: Record<string, Limit>
  #limits: Record<string, Limit>
  readonly #shared = new Map<string, LimitUsage>()
  enabled = true

  constructor(documented: Record<string, Limit>) {
    this.#documented = documented
    this.#limits = { ...documented }
  }

  set(name: string, change: { max: number; windowMs?: number | undefined }): boolean {
    const known = this.#limits[name]
    if (!known) return false
    this.#limits[name] = { ...known, max: change.max, windowMs: change.windowMs ?? known.windowMs }
    return true
  }

  reset(): void {
    this.#limits = { ...this.#documented }
    this.#shared.clear()
    this.enabled = true
  }

  all(): Record<string, Limit> {
    return this.#limits
  }

  /** Adds the cost only if it fits, so that calls over the limit do not use it up further. */
  charge(account: Account | undefined, { limit: name, cost }: Charge, nowMs: number): LimitStatus | undefined {
    const limit = this.#limits[name]
    if (!this.enabled || !limit) return undefined
    const usageByLimit = limit.per === 'account' && account ? account.usageByLimit : this.#shared
    let usage = usageByLimit.get(name)
    if (!usage || usage.resetAtMs <= nowMs) {
      usage = { used: 0, resetAtMs: nowMs + limit.windowMs }
      usageByLimit.set(name, usage)
    }
    const exceeded = usage.used + cost > limit.max
    if (!exceeded) usage.used += cost
    const remaining = Math.max(0, limit.max - usage.used)
    return { limit: name, max: limit.max, windowMs: limit.windowMs, remaining, resetAtMs: usage.resetAtMs, exceeded }
  }

  used(account: Account, name: string, nowMs: number): number {
    const usage = account.usageByLimit.get(name)
    return usage && usage.resetAtMs > nowMs ? usage.used : 0
  }
}
