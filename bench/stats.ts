export type Summary = { count: number; min: number; p50: number; p90: number; p99: number; max: number; mean: number }

/** The value below which `share` of the sorted values lie (nearest rank). */
function percentile(sorted: readonly number[], share: number): number {
  const at = Math.max(0, Math.ceil(sorted.length * share) - 1)
  return sorted[at] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}

export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(percentile(sorted, share))
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    count: values.length,
    min: round(sorted[0] ?? Number.NaN),
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: round(sorted.at(-1) ?? Number.NaN),
    mean: round(mean),
  }
}

/** How many values lie in each bucket; the name of a bucket is its upper edge. */
export function histogram(values: readonly number[], edges: readonly number[]): Record<string, number> {
  const counts = new Map<string, number>(edges.map((edge) => [`<=${edge}`, 0]))
  const last = edges.at(-1) ?? 0
  counts.set(`>${last}`, 0)
  for (const value of values) {
    const edge = edges.find((each) => value <= each)
    const name = edge === undefined ? `>${last}` : `<=${edge}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

export function round(value: number, digits = 2): number {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
