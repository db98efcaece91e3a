import type { Operation } from './call-counts.ts'
import { createRandom } from './create-random.ts'

/** `commit` means that the platform carries the call out, although the caller does not receive its answer. */
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
  /** The connection stays open and no answer comes. */
  | { kind: 'hang'; commit?: boolean }
  /** A successful answer whose ids and URLs contain NUL and lone surrogates. */
  | { kind: 'malformed' }

/** Every call is answered with 503 between two moments, by the clock of the platforms or by the real one. */
export type Outage = {
  kind: 'outage'
  fromMs: number
  untilMs: number
  clock: 'simulated' | 'real'
  /** `remaining` is the time until the end of the outage. Without it, the answer has no Retry-After. */
  retryAfterSeconds?: number | 'remaining'
}

export type Fault = PlainFault | Outage | { kind: 'random'; seed: number; probability: number; faults: PlainFault[] }

export type FaultTarget = {
  platform?: string | undefined
  /** The handle or the id of an account. */
  handle?: string | undefined
  operation?: Operation | 'any' | undefined
  /** A part of the path of the request, for example `/comments`. */
  path?: string | undefined
  /** The share of the matching calls the fault applies to, drawn with `seed`. */
  probability?: number | undefined
  seed?: number | undefined
  /** How many calls the fault applies to. Without it, the fault applies to every call until it is removed. */
  times?: number | undefined
  /** How many matching calls succeed before the fault applies. */
  skip?: number | undefined
}

export type FaultRule = FaultTarget & { id: string; fault: Fault; seen: number; hits: number }
type SeededRule = FaultRule & { random: () => number }

export type FaultCall = {
  platform: string
  account: { handle: string; id: string } | undefined
  operation: Operation
  path: string
  /** The time of the platforms' clock. */
  nowMs: number
}

/** The faults that tests asked for. The first rule that applies to a call wins. */
export class Faults {
  #rules: SeededRule[] = []
  #count = 0

  get isEmpty(): boolean {
    return this.#rules.length === 0
  }

  add(target: FaultTarget, fault: Fault): FaultRule {
    this.#count += 1
    const random = createRandom(fault.kind === 'random' ? fault.seed : (target.seed ?? 1))
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

  take(call: FaultCall): PlainFault | undefined {
    for (const rule of this.#rules) {
      if (!matches(rule, call)) continue
      rule.seen += 1
      if (rule.seen <= (rule.skip ?? 0) || rule.hits >= (rule.times ?? Infinity)) continue
      if (rule.probability !== undefined && rule.random() >= rule.probability) continue
      const fault = pickFault(rule, call.nowMs)
      if (!fault) continue
      rule.hits += 1
      return fault
    }
    return undefined
  }
}

/** Whether the rule will not apply to a call any more. */
export function isUsedUp({ hits, times = Infinity, fault }: FaultRule): boolean {
  return hits >= times || (fault.kind === 'outage' && fault.clock === 'real' && fault.untilMs <= Date.now())
}

function matches(rule: FaultRule, { platform, account, operation, path, nowMs }: FaultCall): boolean {
  if (rule.platform !== undefined && rule.platform !== platform) return false
  if (rule.handle !== undefined && rule.handle !== account?.handle && rule.handle !== account?.id) return false
  if (rule.path !== undefined && !path.includes(rule.path)) return false
  if (rule.fault.kind === 'outage' && !isUnderWay(rule.fault, nowMs)) return false
  return rule.operation === undefined || rule.operation === 'any' || rule.operation === operation
}

function isUnderWay({ fromMs, untilMs, clock }: Outage, simulatedMs: number): boolean {
  const nowMs = clock === 'real' ? Date.now() : simulatedMs
  return fromMs <= nowMs && nowMs < untilMs
}

function pickFault({ fault, random }: SeededRule, simulatedMs: number): PlainFault | undefined {
  if (fault.kind === 'outage') return failureOf(fault, simulatedMs)
  if (fault.kind !== 'random') return fault
  if (random() >= fault.probability) return undefined
  return fault.faults[Math.floor(random() * fault.faults.length)]
}

function failureOf({ untilMs, clock, retryAfterSeconds }: Outage, simulatedMs: number): PlainFault {
  if (retryAfterSeconds === undefined) return { kind: 'status', status: 503 }
  const nowMs = clock === 'real' ? Date.now() : simulatedMs
  const seconds = retryAfterSeconds === 'remaining' ? Math.ceil((untilMs - nowMs) / 1000) : retryAfterSeconds
  return { kind: 'status', status: 503, retryAfterSeconds: seconds }
}
