import type { AnalyticsSnapshot } from '@carillon/sdk'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { localeOf } from '../i18n/language.ts'
import { formatNumber } from '../time/format-number.ts'
import { formatTime } from '../time/format-time.ts'
import { Select } from '../ui/form/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { metrics, type Metric } from './analytics-search.ts'

const FigureChart = lazy(async () => ({ default: (await import('./figure-chart.tsx')).FigureChart }))

type TimeGroupProps = {
  snapshots: readonly AnalyticsSnapshot[]
  metric: Metric
  note: string | undefined
  onMetric: (metric: Metric) => void
}

/** One figure over time: a chart, and the same as a table. */
export function TimeGroup({ snapshots, metric, note, onMetric }: TimeGroupProps) {
  const { t, i18n } = useTranslation('analytics')
  const label = t(`metrics.${metric}`)
  const nameDay = (date: string) => formatTime(`${date}T00:00:00Z`, 'date', { zone: 'UTC', language: localeOf(i18n.language) })
  return (
    <section aria-labelledby="over-time" className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="over-time" className="font-serif text-xl">
          {t('time.title')}
        </h2>
        <Select
          label={t('time.metric')}
          value={metric}
          onChange={onMetric}
          options={metrics.map((value) => ({ value, label: t(`metrics.${value}`) }))}
          className="w-44!"
        />
      </div>
      {note !== undefined && <p className="text-sm text-quiet">{note}</p>}
      <Suspense fallback={<Skeleton className="h-64" />}>
        <FigureChart
          points={snapshots.map((snapshot) => ({ date: snapshot.date, value: snapshot[metric] }))}
          label={label}
          nameDay={nameDay}
        />
      </Suspense>
      <details>
        <summary className="w-fit cursor-pointer py-1 text-sm text-quiet hover:text-ink">{t('time.table')}</summary>
        <div className="mt-2">
          <Table label={t('time.table')}>
            <thead>
              <tr>
                <HeadCell>{t('time.day')}</HeadCell>
                <HeadCell className="text-right">{t('figures.published')}</HeadCell>
                <HeadCell className="text-right">{label}</HeadCell>
              </tr>
            </thead>
            <tbody>
              {snapshots.map((snapshot) => (
                <tr key={snapshot.date}>
                  <Cell>{nameDay(snapshot.date)}</Cell>
                  <Cell className="figures text-right">{formatNumber(snapshot.published, i18n.language)}</Cell>
                  <Cell className="figures text-right">{formatNumber(snapshot[metric], i18n.language)}</Cell>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      </details>
    </section>
  )
}
