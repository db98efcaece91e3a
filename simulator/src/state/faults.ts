import type { Operation } from './call-counts.ts'
import { createRandom } from './create-random.ts'

export type PlainFault =
  | {
      kind: 'status'
      status: number
      headers?: Record<string, string>
      body?: unknown
      retryAfterSeconds?: number
      commit?: boolean
    }
  | { kind: 'drop_before' }
  | { kind: 'drop_after' }
  | { kind: 'delay'; ms: number; when?: 'before' | 'after' }
  | { kind: 'slow_body'; bytesPerSecond: number }
  | { kind: 'huge_body'; bytes: number }
  | { kind: 'expired_token' }
  | { kind: 'garbage'; commit?: boolean }

export type Fault = PlainFault | { kind: 'random'; seed: number; probability: number; faults: PlainFault[] }

export type FaultTarget = {
  platform?: string | undefined
  handle?: string | undefined
  operation?: Operation | 'any' | undefined
  /** How many calls the fault applies to. Without it, the fault applies to every call until it is removed. */
  times?: number | undefined
  /** How many matching calls succeed before the fault applies. */
  skip?: number | undefined
}

export type FaultRule = FaultTarget & { id: string; fault: Fault; seen: number; hits: number }
type SeededRule = FaultRule & { random: () => number }

/** The faults that tests asked for. The first rule that applies to a call wins. */
export class Faults {
  #rules: SeededRule[] = []
  #count = 0

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  add(target: FaultTarget, fault: Fault): FaultRule {
    this.#count += 1
    const random = createRandom(fault.kind === 'random' ? fault.seed : 0)
    const rule: SeededRule = { ...target, id: `fault-${this.#count}`, fault, seen: 0, hits: 0, random }
    this.#rules.push(rule)
    return rule
  }

  all(): FaultRule[] {
    return this.#rules
  }

  remove(id: string): boolean {
    const before = this.#rules.length
    this.#rules = this.#rules.filter((rule) => rule.id !== id)
    return this.#rules.length < before
  }

  clear(): void {
    this.#rules = []
  }

  take(call: { platform: string; handle: string | undefined; operation: Operation }): PlainFault | undefined {
    for (const rule of this.#rules) {
      if (!matches(rule, call)) continue
      rule.seen += 1
      if (rule.seen <= (rule.skip ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue
      const fault = pickFault(rule)
      if (!fault) continue
      rule.hits += 1
      return fault
    }
    return undefined
  }
}

function matches(rule: FaultTarget, call: { platform: string; handle: string | undefined; operation: Operation }): boolean {
  if (rule.platform !== undefined && rule.platform !== call.platform) return false
  if (rule.handle !== undefined && rule.handle !== call.handle) return false
  return rule.operation === undefined || rule.operation === 'any' || rule.operation === call.operation
}

function pickFault({ fault, random }: SeededRule): PlainFault | undefined {
  if (fault.kind !== 'random') return fault
  if (random() >= fault.probability) return undefined
  return fault.faults[Math.floor(random() * fault.faults.length)]
}
