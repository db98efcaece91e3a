import type { Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { analyticsPlatformMetrics, analyticsPost } from '../api/queries.gen.ts'
import { usePlatformName } from '../connections/use-start-connect.ts'
import { formatNumber } from '../time/format-number.ts'
import { formatTime } from '../time/format-time.ts'
import { Cell, HeadCell, Table } from '../ui/table.tsx'
import { useTimeStyle } from '../workspaces/use-time-style.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { metrics, type Metric } from './analytics-search.ts'

/** What the platforms report about one post. Before the first figures there is nothing, because a row of zeros would be untrue. */
export function PostFigures({ post: { uploadId } }: { post: Post }) {
  const { t, i18n } = useTranslation('analytics')
  const { id: workspaceId } = useWorkspace()
  const style = useTimeStyle()
  const nameOf = usePlatformName()
  const { data } = useQuery(analyticsPost(workspaceId, uploadId))
  const { data: reported } = useQuery(analyticsPlatformMetrics(workspaceId))
  const channels = data?.platforms.filter(({ collectedAt }) => collectedAt !== null) ?? []
  const collectedAt = channels.flatMap((channel) => channel.collectedAt ?? []).toSorted()[0]
  if (collectedAt === undefined || !reported) return null
  const reports = (platform: string, metric: Metric) =>
    reported.find((each) => each.platform === platform)?.metrics.includes(metric) ?? true
  const number = (value: number) => formatNumber(value, i18n.language)
  const shown = metrics.filter((metric) => channels.some(({ platform }) => reports(platform, metric)))
  return (
    <section aria-labelledby="figures-title" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="figures-title" className="font-serif text-xl">
          {t('post.title')}
        </h2>
        <p className="figures text-sm text-quiet">
          {t('post.collected', { when: formatTime(collectedAt, 'dayAndTime', style) })}
        </p>
      </div>
      <dl className="grid grid-cols-3 gap-x-3 gap-y-4">
        {shown.map((metric) => (
          <div key={metric} className="min-w-0 border-l-2 border-line pl-3">
            <dt className="truncate text-sm text-quiet">{t(`metrics.${metric}`)}</dt>
            <dd className="figures text-xl font-medium">
              {number(channels.reduce((sum, { engagement }) => sum + engagement[metric], 0))}
            </dd>
          </div>
        ))}
      </dl>
      {channels.length > 1 && (
        <Table label={t('post.byAccount')}>
          <thead>
            <tr>
              <HeadCell>{t('groups.name')}</HeadCell>
              {shown.map((metric) => (
                <HeadCell key={metric} className="text-right">
                  {t(`metrics.${metric}`)}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {channels.map(({ platform, targetName, engagement }, at) => (
              <tr key={at}>
                <th scope="row" className="border-b border-line px-4 py-2.5 font-medium [tr:last-child>&]:border-b-0">
                  {targetName}
                  <span className="block text-sm font-normal text-quiet">{nameOf(platform)}</span>
                </th>
                {shown.map((metric) => (
                  <Cell key={metric} className="figures text-right">
                    {reports(platform, metric) ? number(engagement[metric]) : <NotTold />}
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}

/** A platform that does not tell a figure has none: 0 would be one. */
function NotTold() {
  const { t } = useTranslation('analytics')
  return (
    <>
      <span aria-hidden className="text-faint">
        –
      </span>
      <span className="sr-only">{t('groups.notTold')}</span>
    </>
  )
}
