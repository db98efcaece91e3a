import type { Metric } from '@carillon/contract'

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
export const notReported = '?'

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
