import type { Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { contentTimeline, platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { PostLabels } from '../labels/post-labels.tsx'
import { useClockText } from '../schedule/use-clock-text.ts'
import { SeriesNotice } from '../series/series-notice.tsx'
import { Badge } from '../ui/badge.tsx'
import { Notice } from '../ui/notice.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ApprovalNotice } from './approval-notice.tsx'
import { ChannelCard } from './channel-card.tsx'
import { WarningList } from './channel-reason.tsx'
import { PostActions } from './post-actions.tsx'
import { inOrderOfNeed, readOutcome } from './read-outcome.ts'
import { shownStatus } from './shown-status.ts'
import { StatusBadge } from './status-badge.tsx'
import { usePostChanges, type PostChanges } from './use-post-changes.ts'

const Discussion = lazy(async () => ({ default: (await import('../approval/discussion.tsx')).Discussion }))
const PostFigures = lazy(async () => ({ default: (await import('../analytics/post-figures.tsx')).PostFigures }))
const PostPreview = lazy(async () => ({ default: (await import('./post-preview.tsx')).PostPreview }))

type PostViewProps = {
  post: Post
  /** Leaves it after the post was deleted. */
  onDeleted: () => void
}

/** One post: how it looks, what happened to it on every account, its figures and what was said about it. The page and the panel show it. */
export function PostView({ post, onDeleted }: PostViewProps) {
  const { t } = useTranslation('posts')
  const changes = usePostChanges(post)
  const { warnings, issues, status } = post
  const hasResult = status === 'completed' || status === 'partial_failure'
  return (
    <div className="@container flex flex-col gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 grow basis-72 flex-wrap items-center gap-2">
          <StatusBadge status={shownStatus(post)} />
          {post.archived && <Badge>{t('archived')}</Badge>}
          <PostTime post={post} />
          {post.createdBy && <PostAuthor by={post.createdBy} />}
        </div>
        <div className="flex flex-wrap gap-2">
          <PostActions post={post} changes={changes} onDeleted={onDeleted} />
        </div>
      </div>
      <SeriesNotice post={post} />
      <PostLabels post={post} />
      <ApprovalNotice post={post} changes={changes} />
      <div className="grid items-start gap-8 @3xl:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Suspense fallback={<SkeletonLines label={t('loading')} count={4} />}>
            <PostPreview post={post} />
          </Suspense>
          {warnings.length > 0 && (
            <Notice kind="warning" title={t('warnings')}>
              <WarningList warnings={warnings} issues={issues} />
            </Notice>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <PostChannels post={post} changes={changes} />
          <Suspense>{hasResult && <PostFigures post={post} />}</Suspense>
          <Suspense fallback={<SkeletonLines label={t('loading')} count={3} />}>
            <Discussion post={post} />
          </Suspense>
        </div>
      </div>
    </div>
  )
}

/** How it went on every account. What a person may have to do comes first. */
function PostChannels({ post, changes }: { post: Post; changes: PostChanges }) {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { data: timeline = [] } = useQuery(contentTimeline(workspaceId, post.uploadId))
  const { data: connections = [] } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const outcome = readOutcome(post)
  return (
    <section aria-label={t('channels')} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="font-serif text-xl">{t('channels')}</h2>
        {outcome && outcome.count < outcome.total && (
          <p className="figures text-sm text-quiet">{t('publishedOf', { count: outcome.count, total: outcome.total })}</p>
        )}
      </div>
      {post.channels.length === 0 && <p className="text-quiet">{t('noChannels')}</p>}
      {inOrderOfNeed(post.channels).map((channel) => {
        const connection = connections.find(({ id }) => id === channel.connectionId)
        return (
          <ChannelCard
            key={channel.id}
            channel={channel}
            isDraft={post.status === 'draft'}
            connection={connection}
            type={post.type}
            issues={post.issues}
            options={connection && post.platformOptions[connection.slug]}
            platform={platforms.find(({ platform }) => platform === channel.platform)}
            timeline={timeline.filter(({ channelId }) => channelId === channel.id)}
            changes={changes}
          />
        )
      })}
    </section>
  )
}

function PostTime({ post: { scheduledAt, publishedAt, createdAt, status, timezone } }: { post: Post }) {
  const { t } = useTranslation('posts')
  const { read, write } = useClockText()
  const at = status === 'completed' ? (publishedAt ?? scheduledAt ?? createdAt) : (scheduledAt ?? createdAt)
  const planned = status === 'draft' ? 'plannedFor' : 'scheduledFor'
  const kind = status === 'completed' ? 'publishedAt' : scheduledAt === null ? 'createdAt' : planned
  return <p className="figures text-quiet">{t(`time.${kind}`, { when: write(read(at, timezone)) })}</p>
}

function PostAuthor({ by: { name, apiKeyId } }: { by: NonNullable<Post['createdBy']> }) {
  const { t } = useTranslation('posts')
  return (
    <p className="text-quiet">{t(apiKeyId === null ? 'author.person' : 'author.key', { name: name ?? t('author.former') })}</p>
  )
}
