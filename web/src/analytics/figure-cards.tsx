import type { AnalyticsGroup, AnalyticsSummary } from '@carillon/sdk'
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../time/format-number.ts'
import type { Metric } from './analytics-search.ts'

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
    <dl className="grid grid-cols-2 gap-x-4 gap-y-6 md:grid-cols-4 xl:grid-cols-7">
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
      <FigureCard
        label={t('engagement.title')}
        value={summary.engagementRate === null ? '–' : formatNumber(summary.engagementRate / 100, i18n.language, 'rate')}
        now={summary.engagementRate ?? 0}
        before={summary.engagementRate === null ? null : (previous?.engagementRate ?? null)}
        {...(summary.engagementRate === null
          ? { note: t('engagement.none') }
          : summary.engagementLeftOut > 0 && { note: t('engagement.leftOut', { count: summary.engagementLeftOut }) })}
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

type FigureCardProps = {
  label: string
  value: string
  now: number
  /** The same figure of the time before; null where it cannot be compared. */
  before: number | null
  /** Why the figure is missing or not complete. */
  note?: string | undefined
}

/** One figure with the change beside it. */
function FigureCard({ label, value, now, before, note }: FigureCardProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1 border-l-2 border-line py-1 pl-4">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="flex flex-col gap-1">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="figures text-2xl font-medium">{value}</span>
          {before !== null && <Change now={now} before={before} />}
        </span>
        {note !== undefined && <span className="text-sm text-quiet">{note}</span>}
      </dd>
    </div>
  )
}

function Change({ now, before }: { now: number; before: number }) {
  const { t, i18n } = useTranslation('analytics')
  // Six times "none before" would tell less than it takes up.
  if (before === 0) return null
  const share = (now - before) / before
  const text = formatNumber(share, i18n.language, 'change')
  const tone = share > 0 ? 'text-verdigris' : share < 0 ? 'text-rust' : 'text-quiet'
  const icon = share > 0 ? <ArrowUp aria-hidden /> : share < 0 ? <ArrowDown aria-hidden /> : <Minus aria-hidden />
  const beforeText = formatNumber(before, i18n.language)
  return (
    <span
      className={`figures inline-flex items-center gap-0.5 text-sm font-medium [&_svg]:size-4 ${tone}`}
      title={t('change.before', { before: beforeText })}
    >
      {icon}
      {text}
      <span className="sr-only">{t('change.before', { before: beforeText })}</span>
    </span>
  )
}
