import { Temporal } from 'temporal-polyfill'
import { fold } from './fold.ts'
import { zoneCity } from './format-time.ts'
import { usualZones, zoneWords } from './zone-words.data.ts'

/** A time zone as a person chooses it. */
export type Zone = {
  id: string
  city: string
  /** What the clock there is called: "Japan Standard Time". */
  name: string
  /** How far its clock is from UTC at the moment that matters, in minutes. */
  offsetMinutes: number
}

/** What the person reads, and the moment that the offsets are for: with summer time, they change. */
type ZoneStyle = { language: string; at: string }

const recentMax = 5
const foundMax = 50

/** "UTC+9", "UTC−3:30", "UTC". */
export function formatOffset(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** One zone, or null if the browser does not know it. */
export function describeZone(id: string, { language, at }: ZoneStyle): Zone | null {
  try {
    const { offsetNanoseconds } = Temporal.Instant.from(at).toZonedDateTimeISO(id)
    return { id, city: zoneCity(id), name: nameOf(id, language), offsetMinutes: Math.round(offsetNanoseconds / 60e9) }
  } catch {
    return null
  }
}

/** The zones to offer before anything is typed: the given ones, the first of each once, then those of large places. */
export function offerZones(preferred: readonly string[], style: ZoneStyle): { recent: Zone[]; usual: Zone[] } {
  const ids = [...new Set(preferred)].slice(0, recentMax)
  const describe = (list: readonly string[]) => list.flatMap((id) => describeZone(id, style) ?? [])
  return { recent: describe(ids), usual: describe(usualZones.filter((id) => !ids.includes(id))) }
}

/**
 * The zones that somebody may mean who has typed this: a city with or without its space, another name of it, a country, a long name, the name
 * of the zone itself, or an offset such as `+9` and `UTC-3:30`. The nearest are first.
 */
export function findZones(typed: string, style: ZoneStyle): Zone[] {
  const minutes = readOffset(typed)
  if (minutes !== null) return allZones(style).filter(({ offsetMinutes }) => offsetMinutes === minutes)
  const wanted = foldWords(typed)
  if (wanted === '') return []
  const words = wanted.split(' ')
  const found = allZones(style).flatMap((zone) => {
    const city = foldWords(zone.city)
    const others = foldWords(zoneWords[zone.id] ?? '')
    const known = `${city} ${foldWords(zone.id)} ${others} ${foldWords(zone.name)}`.split(' ')
    if (!words.every((word) => known.some((each) => each.startsWith(word)))) return []
    return [{ zone, rank: city.startsWith(wanted) ? 0 : ` ${others}`.includes(` ${wanted}`) ? 1 : 2 }]
  })
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, foundMax)
    .map(({ zone }) => zone)
}

function readOffset(typed: string): number | null {
  const [, sign, hours = '', minutes = '0'] =
    /^(?:utc|gmt)?([+\-−])(\d{1,2})(?::?([0-5]\d))?$/i.exec(typed.replaceAll(/\s/g, '')) ?? []
  if (sign === undefined) return null
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
}

/** UTC is not in the browser's own list. */
function allZones(style: ZoneStyle): Zone[] {
  const ids = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
  return [...ids].flatMap((id) => describeZone(id, style) ?? []).toSorted((one, other) => one.city.localeCompare(other.city))
}

/** Also without punctuation: "São Paulo", "Sao_Paulo" and "sao paulo" are the same. */
function foldWords(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** In a year whose summer time is known: in others, zones that have it now are named by their standard time. */
const usualMs = Date.UTC(2026, 6, 1)

// A formatter for each of more than 400 zones takes tens of milliseconds, and every key asks for them.
const names = new Map<string, string>()

function nameOf(id: string, language: string): string {
  const key = `${language} ${id}`
  const known = names.get(key)
  if (known !== undefined) return known
  const parts = new Intl.DateTimeFormat(language, { timeZone: id, timeZoneName: 'longGeneric' }).formatToParts(usualMs)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  names.set(key, name)
  return name
}
