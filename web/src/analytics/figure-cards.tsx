import type { AnalyticsGroup, AnalyticsSummary } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../time/format-number.ts'
import type { Metric } from './analytics-search.ts'
import { FigureCard } from './figure-card.tsx'

type FigureCardsProps = {
  summary: AnalyticsSummary
  previous: AnalyticsSummary | undefined
  groups: readonly AnalyticsGroup[]
  nameOf: (platform: string) => string
  reports: (platform: string, metric: Metric) => boolean
}

const totals = [
  ['impressions', 'totalImpressions'],
  ['likes', 'totalLikes'],
  ['comments', 'totalComments'],
  ['shares', 'totalShares'],
] as const

/** The few figures that matter most. What no platform tells is a dash, never 0. */
export function FigureCards({ summary, previous, groups, nameOf, reports }: FigureCardsProps) {
  const { t, i18n } = useTranslation('analytics')
  const number = (value: number) => formatNumber(value, i18n.language)
  const platforms = [...new Set(groups.map(({ platform }) => platform))]
  const isCollected = groups.some(({ collectedAt }) => collectedAt !== null)
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-6 md:grid-cols-3 xl:grid-cols-6">
      <FigureCard
        label={t('figures.published')}
        value={number(summary.totalSucceeded)}
        now={summary.totalSucceeded}
        before={previous?.totalSucceeded ?? null}
        {...(summary.totalFailed > 0 && { note: t('figures.failed', { count: summary.totalFailed }) })}
      />
      <FigureCard
        label={t('figures.successRate')}
        value={summary.totalPublished === 0 ? '–' : formatNumber(summary.successRate / 100, i18n.language, 'percent')}
        now={summary.successRate}
        before={null}
      />
      {totals.map(([metric, key]) => {
        const silent = platforms.filter((platform) => !reports(platform, metric))
        const isNotTold = platforms.length > 0 && silent.length === platforms.length
        const isMissing = isNotTold || !isCollected
        const names = silent.map(nameOf).join(', ')
        const note = !isNotTold && !isCollected ? t('notCollected') : silent.length > 0 ? t('notTold', { names }) : undefined
        return (
          <FigureCard
            key={metric}
            label={t(`metrics.${metric}`)}
            value={isMissing ? '–' : number(summary[key])}
            now={summary[key]}
            before={isMissing ? null : (previous?.[key] ?? null)}
            note={note}
          />
        )
      })}
    </dl>
  )
}
