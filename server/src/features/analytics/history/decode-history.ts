import { dayOf } from '../periods.ts'
import { dayMs, dayZero, figureNames, notReported, type HistoryDay } from './encode-history.ts'

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
