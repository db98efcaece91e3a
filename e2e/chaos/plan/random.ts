/** A small seeded generator (mulberry32): the same seed gives the same plan on every machine. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  happens(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
  /** Picks `count` different elements. */
  pickSome<T>(from: readonly T[], count: number): T[]
}

export function createRandom(seed: number): Random {
  // The multiplication spreads the seeds: consecutive seeds must not give similar plans.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (low: number, high: number) => Math.floor(low + next() * (high - low + 1))
  return {
    next,
    between,
    happens: (probability) => next() < probability,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    pickSome(from, count) {
      const left = [...from]
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(between(0, left.length - 1), 1)).flat()
    },
  }
}
