import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { analyticsPosts } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { localeOf } from '../i18n/language.ts'
import { formatNumber } from '../time/format-number.ts'
import { formatTime } from '../time/format-time.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { Metric } from './analytics-search.ts'

type TopPostsProps = { range: { from: string; to: string; label?: string }; metric: Metric; nameOf: (platform: string) => string }

const shown = 5

/** The posts with the most of the chosen figure. */
export function TopPosts({ range, metric, nameOf }: TopPostsProps) {
  const { t, i18n } = useTranslation('analytics')
  const { id: workspaceId, timezone } = useWorkspace()
  const { data: posts = [], error, refetch } = useQuery(analyticsPosts(workspaceId, { ...range, sort: metric, limit: shown }))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="top-posts" className="flex flex-col gap-3">
      <h2 id="top-posts" className="font-serif text-xl">
        {t('top.title', { metric: t(`metrics.${metric}`) })}
      </h2>
      <ol className="rounded-card border border-line bg-surface">
        {posts.map(({ uploadId, excerpt, publishedAt, platforms, engagement, collectedAt }) => (
          <li
            key={uploadId}
            className="relative flex items-center gap-4 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover"
          >
            <div className="min-w-0 flex-1">
              <Link
                to="/w/$workspaceId/posts/$postId"
                params={{ workspaceId, postId: uploadId }}
                className="block truncate font-medium text-ink no-underline after:absolute after:inset-0 after:content-['']"
              >
                {excerpt || t('top.untitled')}
              </Link>
              <p className="truncate text-sm text-quiet">
                {formatTime(publishedAt, 'day', { zone: timezone, language: localeOf(i18n.language) })} ·{' '}
                {platforms.map(nameOf).join(', ')}
              </p>
            </div>
            <span className="figures text-right text-lg">
              {collectedAt === null ? (
                <span className="text-sm text-faint">{t('groups.notYet')}</span>
              ) : (
                formatNumber(engagement[metric], i18n.language)
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
