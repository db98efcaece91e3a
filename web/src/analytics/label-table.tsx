import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { analyticsOverview } from '../api/queries.gen.ts'
import { LabelChip } from '../labels/label-chip.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { formatNumber } from '../time/format-number.ts'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { metrics } from './analytics-search.ts'

/** The figures of the posts with each label. */
export function LabelTable({ range }: { range: { from: string; to: string; label?: string } }) {
  const { t, i18n } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const { labels } = useLabels()
  const { data } = useQuery(analyticsOverview(workspaceId, { ...range, granularity: 'month', by: 'label' }))
  const number = (value: number) => formatNumber(value, i18n.language)
  const shown = (data?.labels ?? []).flatMap((figures) => {
    const label = labels.find(({ id }) => id === figures.labelId)
    return label ? [{ label, figures }] : []
  })
  if (!data) return null
  if (shown.length === 0) return <p className="text-quiet">{t('byLabel.none')}</p>
  return (
    <>
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
          </tr>
        </thead>
        <tbody>
          {shown.map(({ label, figures }) => (
            <tr key={label.id}>
              <th scope="row" className="border-b border-line px-4 py-2.5 [tr:last-child>&]:border-b-0">
                <span className="flex max-w-56">
                  <LabelChip label={label} />
                </span>
              </th>
              <Cell className="figures text-right">{number(figures.published - figures.failed)}</Cell>
              {metrics.map((metric) => (
                <Cell key={metric} className="figures text-right whitespace-nowrap">
                  {number(figures[metric])}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="text-sm text-quiet">{t('byLabel.note')}</p>
    </>
  )
}
