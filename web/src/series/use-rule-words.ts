import { useTranslation } from 'react-i18next'
import { formatDay, formatTime } from '../time/format-time.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { dateOfWeekday, weekdayOf, weekdays, workdays, type Rule } from './rule.ts'

/** Writes a rule as a sentence: "Every 2 weeks on Mon, Fri at 09:00 (Berlin), 10 times". */
export function useRuleWords(): (rule: Rule) => string {
  const { t } = useTranslation('series')
  const style = useTimeStyle()
  return ({ every, unit, on, time, timezone, from, until, count }) => {
    const dayName = (day: (typeof weekdays)[number]) => formatDay(dateOfWeekday(day), 'weekday', style.language)
    const days = Array.isArray(on) ? weekdays.filter((day) => on.includes(day)) : [weekdayOf(from)]
    const isWorkdays = every === 1 && days.length === workdays.length && workdays.every((day) => days.includes(day))
    const often = unit === 'week' && isWorkdays ? t('words.weekdays') : t(`words.${unit}`, { count: every })
    const nth = typeof on === 'object' && !Array.isArray(on) ? on : null
    const which =
      unit === 'week'
        ? isWorkdays
          ? ''
          : t('words.onDays', { days: days.map(dayName).join(', ') })
        : unit === 'month'
          ? on === 'last'
            ? t('words.onLast')
            : nth
              ? t('words.onNth', { nth: t(`words.nth.${nth.nth as '1' | '2' | '3' | '4' | 'last'}`), day: dayName(nth.weekday) })
              : t('words.onDate', { day: typeof on === 'number' ? on : Number(from.slice(8)) })
          : ''
    const at = formatTime(`2000-01-01T${time}:00Z`, 'time', { ...style, zone: 'UTC' })
    const end =
      count !== undefined
        ? t('words.times', { count })
        : until !== undefined
          ? t('words.until', { day: formatDay(until, 'dayOfYear', style.language) })
          : ''
    const when = t('words.at', { time: at, zone: timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone })
    return [[often, which, when].filter((part) => part !== '').join(' '), end].filter((part) => part !== '').join(', ')
  }
}
