import type { HourFigures } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../time/format-number.ts'
import { formatDay, formatTime } from '../time/format-time.ts'
import { useTimeStyle } from '../workspaces/use-time-style.ts'

export type Day = HourFigures['day']

/** With a date that falls on each day, to write its name. */
const dates: readonly { day: Day; date: string }[] = [
  { day: 'monday', date: '2024-01-01' },
  { day: 'tuesday', date: '2024-01-02' },
  { day: 'wednesday', date: '2024-01-03' },
  { day: 'thursday', date: '2024-01-04' },
  { day: 'friday', date: '2024-01-05' },
  { day: 'saturday', date: '2024-01-06' },
  { day: 'sunday', date: '2024-01-07' },
]

/** The hours of a week in words, as this person writes days and times. */
export function useHourWords() {
  const { t, i18n } = useTranslation('analytics')
  const style = useTimeStyle()
  const nameDay = (day: Day, shape: 'weekday' | 'longWeekday') =>
    formatDay(dates.find((each) => each.day === day)?.date ?? '', shape, style.language)
  const nameTime = (hour: number) =>
    formatTime(`2000-01-01T${String(hour).padStart(2, '0')}:00:00Z`, 'time', { ...style, zone: 'UTC' })
  const writeScore = (score: number) => formatNumber(score, i18n.language, 'multiple')
  return {
    week: [...dates.slice(style.weekStart - 1), ...dates.slice(0, style.weekStart - 1)].map(({ day }) => day),
    nameDay,
    nameTime,
    writeScore,
    nameOf: ({ day, hour }: Pick<HourFigures, 'day' | 'hour'>) =>
      t('best.hour', { day: nameDay(day, 'longWeekday'), time: nameTime(hour) }),
    describe: ({ score, n, certainty }: HourFigures) =>
      t('best.figures', {
        score: writeScore(score),
        posts: t('best.posts', { count: n }),
        certainty: t(`best.certainty.${certainty}`),
      }),
  }
}
