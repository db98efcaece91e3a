import type { Account } from './accounts.ts'

/** `account` counts each account alone; `platform` counts everything that arrives, as limits per app or per address do. */
export type Limit = { max: number; windowMs: number; per: 'account' | 'platform' }
export type Charge = { limit: string; cost: number }
export type Meter = { used: number; resetAtMs: number }
export type Reading = { limit: string; max: number; windowMs: number; remaining: number; resetAtMs: number; exceeded: boolean }

/** Fixed windows, as most platforms document theirs. */
export class Limits {
  readonly #documented: Record<string, Limit>
  #limits: Record<string, Limit>
  readonly #shared = new Map<string, Meter>()
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

  /** Takes the cost only when there is room, so a caller over the limit does not push its own reset away. */
  charge(account: Account | undefined, { limit: name, cost }: Charge, nowMs: number): Reading | undefined {
    const limit = this.#limits[name]
    if (!this.enabled || !limit) return undefined
    const meters = limit.per === 'account' && account ? account.meters : this.#shared
    let meter = meters.get(name)
    if (!meter || meter.resetAtMs <= nowMs) {
      meter = { used: 0, resetAtMs: nowMs + limit.windowMs }
      meters.set(name, meter)
    }
    const exceeded = meter.used + cost > limit.max
    if (!exceeded) meter.used += cost
    const remaining = Math.max(0, limit.max - meter.used)
    return { limit: name, max: limit.max, windowMs: limit.windowMs, remaining, resetAtMs: meter.resetAtMs, exceeded }
  }

  used(account: Account, name: string, nowMs: number): number {
    const meter = account.meters.get(name)
    return meter && meter.resetAtMs > nowMs ? meter.used : 0
  }
}
