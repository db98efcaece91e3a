const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** `1 photo`, `4 photos`. */
export function formatCount(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`
}

export function formatBytes(value: number): string {
  let scaled = value
  let step = 0
  while (scaled >= 1000 && step < units.length - 1) {
    scaled /= 1000
    step++
  }
  return `${formatNumber(scaled)} ${units[step]}`
}

/** Formats a limit and a value above it. If both would round to the same text, they are given in exact bytes. */
export function formatDistinctBytes(limit: number, actual: number): [string, string] {
  const rounded: [string, string] = [formatBytes(limit), formatBytes(actual)]
  return rounded[0] === rounded[1] ? [formatCount(limit, 'byte'), formatCount(actual, 'byte')] : rounded
}
