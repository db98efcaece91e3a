type NumberShape = 'plain' | 'compact' | 'percent' | 'rate' | 'change' | 'multiple'

const shapes: Readonly<Record<NumberShape, Intl.NumberFormatOptions>> = {
  plain: {},
  // Where a language does not shorten thousands, they are grouped as in other places of the page.
  compact: { notation: 'compact', useGrouping: 'always', maximumFractionDigits: 1 },
  percent: { style: 'percent', maximumFractionDigits: 1 },
  // Two decimals everywhere, so that rates below each other align and can be compared.
  rate: { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 },
  // How many times the usual: 1.0 is the usual itself.
  multiple: { minimumFractionDigits: 1, maximumFractionDigits: 1 },
  change: { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' },
}

const formatters = new Map<string, Intl.NumberFormat>()

/** Writes a number as a reader of that language expects it. */
export function formatNumber(value: number, language: string, shape: NumberShape = 'plain'): string {
  const key = `${shape} ${language}`
  const format = formatters.get(key) ?? new Intl.NumberFormat(language, shapes[shape])
  formatters.set(key, format)
  return format.format(value)
}

const steps: readonly [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Writes a length of time in its largest fitting unit: "0.4 sec", "3 min", "2 hr". A unit is used from twice its length on. */
export function formatDuration(seconds: number, language: string): string {
  const [unit, size] = steps.find(([, length]) => seconds >= 2 * length) ?? ['second', 1]
  const value = seconds / size
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(value)
}
