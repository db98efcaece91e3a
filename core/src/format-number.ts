const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** `1 photo`, `4 photos`. */
export function count(value: number, noun: string): string {
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

/** A limit and a value beyond it must not round to the same words. */
export function formatBytesApart(limit: number, actual: number): [string, string] {
  const rounded: [string, string] = [formatBytes(limit), formatBytes(actual)]
  return rounded[0] === rounded[1] ? [count(limit, 'byte'), count(actual, 'byte')] : rounded
}
