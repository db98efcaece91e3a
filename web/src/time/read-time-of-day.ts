/** The time of day that somebody means who has typed this, as `09:30`; null if it is none. `9`, `930`, `9.30`, `9:30 pm`, `21 Uhr`. */
export function readTimeOfDay(typed: string): string | null {
  const text = typed.toLowerCase().replaceAll(/\s/g, '').replace(/uhr$/, '')
  const [, hourText = '', minuteText = '0', half] = /^(\d{1,2})(?:[:.h]?(\d{2}))?(?:h|([ap])\.?(?:m\.?)?)?$/.exec(text) ?? []
  if (hourText === '') return null
  const [written, minute] = [Number(hourText), Number(minuteText)]
  if (half !== undefined && (written < 1 || written > 12)) return null
  // Twelve o'clock is the start of its half.
  const hour = half === undefined ? written : (written % 12) + (half === 'p' ? 12 : 0)
  return hour > 23 || minute > 59 ? null : `${pad(hour)}:${pad(minute)}`
}

function pad(figure: number): string {
  return String(figure).padStart(2, '0')
}
