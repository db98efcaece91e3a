const stepsMax = 5

/** The marks of an axis of seconds: from 0 to at least `max`, in steps that are round numbers of seconds, minutes or hours. */
export function roundTicks(max: number): number[] {
  if (max <= 0) return [0, 1]
  const unit = max >= 7200 ? 3600 : max >= 120 ? 60 : 1
  const least = max / unit / stepsMax
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power
  // Multiples of a fraction such as 0.2 have digits at their end that are not meant.
  return Array.from({ length: Math.ceil(max / unit / step) + 1 }, (_, at) => Number((at * step * unit).toPrecision(6)))
}
