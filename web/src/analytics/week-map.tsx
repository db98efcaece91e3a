import type { HourFigures } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { type Day, useHourWords } from './use-hour-words.ts'

const keyOf = ({ day, hour }: { day: Day; hour: number }) => `${day} ${hour}`

/** From the worst to the best. The number in a cell says the same as its colour, so the number that is shown decides. */
const steps = [
  { from: 0, look: 'bg-hover text-quiet' },
  { from: 0.9, look: 'bg-bell-wash text-ink' },
  { from: 1.1, look: 'bg-[color-mix(in_oklab,var(--bell)_30%,var(--bell-wash))] text-ink' },
  { from: 1.4, look: 'bg-bell text-on-bell' },
] as const

/** A week as a table: a row for each hour with a post, a column for each day. */
export function WeekMap({ hours, best }: { hours: readonly HourFigures[]; best: readonly HourFigures[] }) {
  const { t } = useTranslation('analytics')
  const words = useHourWords()
  const byKey = new Map(hours.map((hour) => [keyOf(hour), hour]))
  const chosen = new Set(best.map(keyOf))
  const rows = [...new Set(hours.map(({ hour }) => hour))].toSorted((a, b) => a - b)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <table className="w-full table-fixed border-separate border-spacing-0.5 sm:border-spacing-1 max-sm:-mx-0.5">
        <caption className="sr-only">{t('best.table')}</caption>
        <thead>
          <tr>
            <th scope="col" className="w-14 sm:w-18">
              <span className="sr-only">{t('best.time')}</span>
            </th>
            {words.week.map((day) => (
              <th key={day} scope="col" className="pb-1 text-xs font-medium text-quiet">
                {words.nameDay(day, 'weekday')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((hour) => (
            <tr key={hour}>
              <th
                scope="row"
                className="figures pr-1.5 text-right text-xs font-normal whitespace-nowrap text-quiet sm:pr-2 sm:text-sm"
              >
                {words.nameTime(hour)}
              </th>
              {words.week.map((day) => (
                <HourCell key={day} figures={byKey.get(keyOf({ day, hour }))} isBest={chosen.has(keyOf({ day, hour }))} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Legend />
    </div>
  )
}

function HourCell({ figures, isBest }: { figures: HourFigures | undefined; isBest: boolean }) {
  const { t } = useTranslation('analytics')
  const words = useHourWords()
  if (!figures)
    return (
      <td className="h-10">
        <span className="sr-only">{t('best.noPosts')}</span>
      </td>
    )
  const { look } = steps.findLast(({ from }) => Math.round(figures.score * 10) / 10 >= from) ?? steps[0]
  const text = words.describe(figures)
  return (
    <td title={`${words.nameOf(figures)}: ${text}`} className={`figures h-10 rounded-chip p-0 text-center leading-tight ${look}`}>
      <span aria-hidden className={`block text-sm ${isBest ? 'font-semibold underline underline-offset-2' : ''}`}>
        {words.writeScore(figures.score)}
      </span>
      <span aria-hidden className="block text-2xs">
        {figures.n}
      </span>
      <span className="sr-only">{isBest ? t('best.recommended', { text }) : text}</span>
    </td>
  )
}

/** What the two numbers of a cell are, and which colour stands for which scores. */
function Legend() {
  const { t } = useTranslation('analytics')
  const { writeScore } = useHourWords()
  const [, , above, far] = steps
  const names = [
    t('best.legend.less'),
    t('best.legend.usual'),
    t('best.legend.from', { score: writeScore(above.from) }),
    t('best.legend.from', { score: writeScore(far.from) }),
  ]
  return (
    <div className="flex flex-col gap-2 text-sm text-quiet">
      <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1">
        {steps.map(({ from, look }, at) => (
          <li key={from} className="flex items-center gap-1.5">
            <span className={`size-4 rounded-chip ${look}`} />
            {names[at]}
          </li>
        ))}
      </ul>
      <p>{t('best.legend.text')}</p>
    </div>
  )
}
