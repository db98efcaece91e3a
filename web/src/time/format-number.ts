type NumberShape = 'plain' | 'compact' | 'percent' | 'change'

const shapes: Readonly<Record<NumberShape, Intl.NumberFormatOptions>> = {
  plain: {},
  // Where a language does not shorten thousands, they are grouped as in other places of the page.
  compact: { notation: 'compact', useGrouping: 'always', maximumFractionDigits: 1 },
  percent: { style: 'percent', maximumFractionDigits: 1 },
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
