/** Places whose names in the database of zones are not used any more. Browsers still list the old ones. */
const newNames: Readonly<Record<string, string>> = {
  Calcutta: 'Kolkata',
  Kiev: 'Kyiv',
  Saigon: 'Ho Chi Minh City',
  Katmandu: 'Kathmandu',
  Rangoon: 'Yangon',
  Godthab: 'Nuuk',
  Faeroe: 'Faroe',
}

/** How times are written: the zone, the language (`localeOf(i18n.language)`), and whether hours are counted to 12 or to 24. */
export type TimeStyle = { zone: string; language: string; hourCycle?: 'h12' | 'h23' }

type Shape = 'time' | 'date' | 'day' | 'dayOfYear' | 'dayAndTime' | 'month' | 'weekday' | 'longWeekday' | 'longDay' | 'shortDay'

const shapes: Readonly<Record<Shape, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'short' },
  dayOfYear: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  dayAndTime: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'short' },
  longWeekday: { weekday: 'long' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long' },
  shortDay: { day: 'numeric', month: 'short' },
}

// Making a formatter costs about a thousand times as much as using one, and a calendar formats hundreds of times.
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Writes an instant (ISO-8601) as a person in that zone reads it. */
export function formatTime(instant: string, shape: Shape, style: TimeStyle): string {
  return formatterFor(shape, style).format(new Date(instant))
}

/** Writes a day (`2027-03-28`), which is the same in every zone. */
export function formatDay(day: string, shape: Exclude<Shape, 'time' | 'dayAndTime'>, language: string): string {
  return formatTime(`${day}T12:00:00Z`, shape, { zone: 'UTC', language })
}

function formatterFor(shape: Shape, { zone, language, hourCycle }: TimeStyle): Intl.DateTimeFormat {
  const key = `${shape} ${zone} ${language} ${hourCycle ?? ''}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(language, { ...shapes[shape], timeZone: zone, ...(hourCycle && { hourCycle }) })
  formatters.set(key, made)
  return made
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "in 3 hours", "2 days ago". Below a minute it says "now". */
export function formatDistance(instant: string, { nowMs, language }: { nowMs: number; language: string }): string {
  const seconds = (Date.parse(instant) - nowMs) / 1000
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', Number.POSITIVE_INFINITY]
  return format.format(Math.round(seconds / size), unit)
}

/** The last part of a zone's name, as people say it: "Berlin" for "Europe/Berlin". */
export function zoneCity(zone: string): string {
  const city = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
  return newNames[city] ?? city
}

/** The zone of this browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
