import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { HourOfSends, OperatorFigures } from '../../api/operator.ts'
import { formatDuration, formatNumber } from '../../time/format-number.ts'
import { formatTime } from '../../time/format-time.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { SettingGroup } from '../setting-group.tsx'

const LatenessChart = lazy(async () => ({ default: (await import('./lateness-chart.tsx')).LatenessChart }))

/** How late sends began in each of the last 24 hours: a chart, and the same as a table. */
export function LatenessGroup({ day }: { day: NonNullable<OperatorFigures['day']> }) {
  const { t, i18n } = useTranslation('operator')
  const style = useTimeStyle()
  const nameHour = (at: string) => formatTime(at, 'time', style)
  const hours = day.hours.filter(({ sends }) => sends > 0)
  const time = (seconds: number | null) => (seconds === null ? '–' : formatDuration(seconds, i18n.language))
  return (
    <SettingGroup title={t('late.title')} description={t('late.text')}>
      {day.isCut && <p className="text-sm text-quiet">{t('late.cut', { number: formatNumber(day.results, i18n.language) })}</p>}
      {hours.length === 0 ? (
        <p className="text-quiet">{t('late.empty')}</p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-56" />}>
            <LatenessChart hours={day.hours} nameHour={nameHour} />
          </Suspense>
          <details>
            <summary className="w-fit cursor-pointer py-1 text-sm text-quiet hover:text-ink">{t('late.table')}</summary>
            <div className="mt-2">
              <HourTable hours={hours} nameHour={nameHour} time={time} />
            </div>
          </details>
        </>
      )}
    </SettingGroup>
  )
}

type HourTableProps = {
  hours: readonly HourOfSends[]
  nameHour: (at: string) => string
  time: (seconds: number | null) => string
}

function HourTable({ hours, nameHour, time }: HourTableProps) {
  const { t, i18n } = useTranslation('operator')
  return (
    <Table label={t('late.title')}>
      <thead>
        <tr>
          <HeadCell>{t('late.hour')}</HeadCell>
          <HeadCell className="text-right">{t('late.sends')}</HeadCell>
          <HeadCell className="text-right">{t('late.median')}</HeadCell>
          <HeadCell className="text-right">{t('late.p95')}</HeadCell>
          <HeadCell className="text-right">{t('late.p99')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {hours.map(({ at, sends, median, p95, p99 }) => (
          <tr key={at}>
            <Cell className="figures">{at === null ? '' : nameHour(at)}</Cell>
            <Cell className="figures text-right">{formatNumber(sends, i18n.language)}</Cell>
            <Cell className="figures text-right">{time(median)}</Cell>
            <Cell className="figures text-right">{time(p95)}</Cell>
            <Cell className="figures text-right">{time(p99)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
