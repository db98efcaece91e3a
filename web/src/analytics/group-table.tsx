import type { AnalyticsGroup } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../time/format-number.ts'
import { formatTime } from '../time/format-time.ts'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { metrics, type Metric } from './analytics-search.ts'
import { figureState } from './use-figures.ts'

type GroupTableProps = {
  groups: readonly AnalyticsGroup[]
  nameOf: (platform: string) => string
  reports: (platform: string, metric: Metric) => boolean
}

/** The figures of each platform or account. */
export function GroupTable({ groups, nameOf, reports }: GroupTableProps) {
  const { t, i18n } = useTranslation('analytics')
  const style = useTimeStyle()
  const number = (value: number) => formatNumber(value, i18n.language)
  return (
    <Table label={t('groups.title')}>
      <thead>
        <tr>
          <HeadCell>{t('groups.name')}</HeadCell>
          <HeadCell className="text-right">{t('figures.published')}</HeadCell>
          {metrics.map((metric) => (
            <HeadCell key={metric} className="text-right">
              {t(`metrics.${metric}`)}
            </HeadCell>
          ))}
          <HeadCell className="text-right">{t('engagement.title')}</HeadCell>
          <HeadCell>{t('groups.collected')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.connectionId ?? group.platform}>
            <th
              scope="row"
              className="border-b border-line px-4 py-2.5 font-medium whitespace-nowrap [tr:last-child>&]:border-b-0"
            >
              {group.targetName ?? nameOf(group.platform)}
              {group.targetName !== null && (
                <span className="block text-sm font-normal text-quiet">{nameOf(group.platform)}</span>
              )}
            </th>
            <Cell className="figures text-right">{number(group.published - group.failed)}</Cell>
            {metrics.map((metric) => (
              <Cell key={metric} className="figures text-right whitespace-nowrap">
                <Figure
                  state={figureState(group, reports(group.platform, metric))}
                  value={number(group[metric])}
                  platform={nameOf(group.platform)}
                />
              </Cell>
            ))}
            <Cell className="figures text-right whitespace-nowrap">
              {group.engagementRate === null ? (
                <Figure
                  state={reports(group.platform, 'impressions') ? 'not-collected' : 'not-told'}
                  value=""
                  platform={nameOf(group.platform)}
                />
              ) : (
                formatNumber(group.engagementRate / 100, i18n.language, 'rate')
              )}
            </Cell>
            <Cell className="figures text-sm whitespace-nowrap text-quiet">
              {group.collectedAt === null ? t('groups.notYet') : formatTime(group.collectedAt, 'dayAndTime', style)}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function Figure({ state, value, platform }: { state: ReturnType<typeof figureState>; value: string; platform: string }) {
  const { t } = useTranslation('analytics')
  if (state === 'counted') return value
  const reason = state === 'not-told' ? t('notTold', { names: platform }) : t('notCollected')
  return (
    <span className="text-sm text-faint" title={reason}>
      {state === 'not-told' ? t('groups.notTold') : t('groups.notYet')}
    </span>
  )
}
