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
