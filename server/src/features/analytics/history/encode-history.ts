import type { Metric } from '@carillon/contract'
import { dayOf } from '../resolve-range.ts'

/** The figures of a channel on one day (YYYY-MM-DD, UTC); null if the platform did not report one. */
export type HistoryDay = Record<Metric, number | null> & { day: string }

/** Their order is part of the stored format. */
export const figureNames = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const satisfies readonly Metric[]

/** The first entry is stored as the difference to this day. */
export const dayZero: HistoryDay = {
  day: '1970-01-01',
  likes: null,
  comments: null,
  shares: null,
  impressions: null,
  clicks: null,
  saves: null,
}

export const dayMs = 86_400_000
const notReported = '?'

/**
 * Packs days, which must be in ascending order, into one text. Most figures hardly change from one day to the next, so each day is stored as
 * its difference to the day before: `20773:3,0,,120;1:1;1;2:,?,,-5` has four days. An entry starts with the number of days since the entry
 * before. The figures follow in a fixed order: empty if unchanged, `?` if no longer reported, otherwise the difference, or the value itself
 * if there was none before. Unchanged figures at the end are left out.
 */
export function encodeHistory(days: readonly HistoryDay[]): string {
  return days.map((day, at) => encodeDay(day, days[at - 1] ?? dayZero)).join(';')
}

function encodeDay(day: HistoryDay, previous: HistoryDay): string {
  const gap = (Date.parse(day.day) - Date.parse(previous.day)) / dayMs
  const changes = figureNames.map((name) => encodeChange(day[name], previous[name]))
  const changed = changes.slice(0, changes.findLastIndex((change) => change !== '') + 1)
  return changed.length === 0 ? String(gap) : `${gap}:${changed.join(',')}`
}

function encodeChange(figure: number | null, previous: number | null): string {
  if (figure === previous) return ''
  return figure === null ? notReported : String(figure - (previous ?? 0))
}

/** The days that `encodeHistory` packed. Throws if the text is not one of its results, because a wrong figure is worse than none. */
export function decodeHistory(text: string): HistoryDay[] {
  if (text === '') return []
  const days: HistoryDay[] = []
  for (const entry of text.split(';')) days.push(decodeDay(entry, days.at(-1) ?? dayZero))
  return days
}

function decodeDay(entry: string, previous: HistoryDay): HistoryDay {
  const [gap = '', changes = '', ...rest] = entry.split(':')
  const fields = changes.split(',')
  if (rest.length > 0 || fields.length > figureNames.length) throw unreadable(entry)
  const day: HistoryDay = { ...previous, day: dayOf(Date.parse(previous.day) + readNumber(gap, entry) * dayMs) }
  for (const [at, name] of figureNames.entries()) {
    const field = fields[at] ?? ''
    if (field === notReported) day[name] = null
    else if (field !== '') day[name] = (day[name] ?? 0) + readNumber(field, entry)
  }
  return day
}

function readNumber(text: string, entry: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(number)) throw unreadable(entry)
  return number
}

function unreadable(entry: string): Error {
  return new Error(`the stored figures of a channel cannot be read: "${entry}" is not an entry of a history`)
}
