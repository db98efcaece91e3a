import { fold } from './fold.ts'
import { formatDay } from './format-time.ts'
import { addDays, isDay } from './zoned-day.ts'

type DayStyle = {
  today: string
  language: string
  /** Days that have been are meant: without a year, the last such day. */
  isPast?: boolean
}

/**
 * The day that somebody means who has typed this, as `2027-03-28`; null if it is none. It takes what the language writes itself ("Sun, 28 Mar
 * 2027", "28.3."), the form of the API, eight figures, "tomorrow" and the days of the week. Without a year, the next such day is meant, or
 * the last one.
 */
export function readDay(typed: string, style: DayStyle): string | null {
  const { today, language, isPast = false } = style
  const text = fold(typed)
  if (isDay(text)) return text
  const near = [0, 1, 2, -1, -2].find((days) => fold(relativeDay(days, language)) === text)
  if (near !== undefined) return addDays(today, near)
  const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '')
  const figures = parts.filter((part) => /^\d+$/.test(part))
  const words = parts.filter((part) => !/^\d+$/.test(part))
  const months = words.map((word) => monthOf(word, language)).filter((month) => month !== null)
  const weekdays = words.filter((word) => isWeekday(word, language))
  if (months.length + weekdays.length < words.length || months.length > 1 || weekdays.length > 1) return null
  if (figures.length === 0) return months.length === 0 ? nearestWeekday(weekdays[0] ?? '', style) : null
  const [month] = months
  if (month !== undefined)
    return figures.length > 2 ? null : build({ day: figures[0], month, year: figures[1] }, { today, isPast })
  return readFigures(figures, { today, language, isPast })
}

/** How the language writes a day in figures: "28/03/2027". */
export function dayInFigures(day: string, language: string): string {
  return figureFormat(language).format(new Date(`${day}T12:00:00Z`))
}

function readFigures(figures: readonly string[], { language, ...when }: DayStyle): string | null {
  const [first = ''] = figures
  const order = first.length === 4 ? (['year', 'month', 'day'] as const) : orderOf(language)
  const [whole = ''] = figures
  if (figures.length === 1) {
    if (whole.length !== 8) return null
    const lengths = order.map((part) => (part === 'year' ? 4 : 2))
    const cuts = lengths.map((length, at) => whole.slice(sum(lengths.slice(0, at)), sum(lengths.slice(0, at)) + length))
    return build(named(order, cuts), when)
  }
  if (figures.length > 3) return null
  const given = figures.length === 2 ? order.filter((part) => part !== 'year') : order
  return build(named(given, figures), when)
}

type Parts = { day?: string | undefined; month?: string | undefined; year?: string | undefined }

function named(order: readonly ('day' | 'month' | 'year')[], figures: readonly string[]): Parts {
  return Object.fromEntries(order.map((part, at) => [part, figures[at]]))
}

function build({ day = '', month = '', year }: Parts, { today, isPast = false }: Omit<DayStyle, 'language'>): string | null {
  const written = (inYear: string) => `${inYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (year !== undefined) {
    const inYear = year.length === 2 ? `20${year}` : year
    return inYear.length === 4 && isDay(written(inYear)) ? written(inYear) : null
  }
  const thisYear = Number(today.slice(0, 4))
  // The 29th of February may be three years away.
  const years = [0, 1, 2, 3, 4].map((away) => written(String(thisYear + (isPast ? -away : away))))
  return years.find((each) => isDay(each) && (isPast ? each <= today : each >= today)) ?? null
}

function nearestWeekday(word: string, { today, language, isPast = false }: DayStyle): string | null {
  const week = [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(today, isPast ? -days : days))
  return week.find((day) => word !== '' && fold(formatDay(day, 'longDay', language)).startsWith(word)) ?? null
}

function monthOf(word: string, language: string): string | null {
  if (word.length < 3) return null
  const at = monthNames(language).findIndex((names) => names.some((name) => name.startsWith(word)))
  return at === -1 ? null : String(at + 1)
}

function isWeekday(word: string, language: string): boolean {
  return word.length >= 2 && weekdayNames(language).some((name) => name.startsWith(word))
}

const monthNames = remember((language) => {
  const [long, short] = (['long', 'short'] as const).map((month) => new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }))
  return Array.from({ length: 12 }, (_, month) => {
    const first = new Date(Date.UTC(2027, month, 1))
    return [fold(long?.format(first) ?? ''), fold(short?.format(first) ?? '').replace('.', '')]
  })
})

const weekdayNames = remember((language) => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => fold(format.format(new Date(Date.UTC(2027, 0, day + 1)))))
})

const figureFormat = remember(
  (language) => new Intl.DateTimeFormat(language, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
)

const orderOf = remember((language) =>
  figureFormat(language)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year'),
)

function relativeDay(days: number, language: string): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
}

/** Formatters are slow to make, and every key asks for the names. */
function remember<Result>(make: (language: string) => Result): (language: string) => Result {
  const made = new Map<string, Result>()
  return (language) => {
    const known = made.get(language) ?? make(language)
    made.set(language, known)
    return known
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
