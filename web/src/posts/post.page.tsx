import type { Post } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, Link2, MessageSquare, Sparkles } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentGet, contentTimeline, platformsList, workspacesConnections } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { PostLabels } from '../labels/post-labels.tsx'
import { FileTile } from '../media/file-tile.tsx'
import { useClockText } from '../schedule/use-clock-text.ts'
import { SeriesNotice } from '../series/series-notice.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { cameFrom } from '../workspaces/came-from.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ApprovalNotice } from './approval-notice.tsx'
import { ChannelCard } from './channel-card.tsx'
import { WarningList } from './channel-reason.tsx'
import { excerptOf } from './excerpt-of.ts'
import { PostActions } from './post-actions.tsx'
import { inOrderOfNeed, readOutcome } from './read-outcome.ts'
import { shownStatus } from './shown-status.ts'
import { StatusBadge } from './status-badge.tsx'
import { usePostChanges } from './use-post-changes.ts'

const Discussion = lazy(async () => ({ default: (await import('../approval/discussion.tsx')).Discussion }))

/** One post: what it says, and what happened to it on every account. */
export function PostPage() {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { postId } = useParams({ from: '/w/$workspaceId/posts/$postId' })
  const { data: post, error, refetch } = useQuery(contentGet(workspaceId, postId))
  return (
    <div className="flex max-w-5xl flex-col gap-5">
      <BackLink />
      {post && <PostView post={post} />}
      {!post && <PageHeader title={t('post')} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!post && !error && <SkeletonLines label={t('loading')} count={6} />}
    </div>
  )
}

/** Leads where the person came from, with its month and its filters. */
function BackLink() {
  const { t } = useTranslation(['posts', 'shell'])
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [origin] = useState(() => cameFrom(workspaceId))
  const href = origin?.href ?? `/w/${workspaceId}/posts`
  const place = origin?.place ?? 'posts'
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void navigate({ href })
      }}
      className="inline-flex min-h-6 items-center gap-1.5 self-start text-sm"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {place === 'posts' ? t('back') : t(`shell:places.${place}`)}
    </a>
  )
}

function PostView({ post }: { post: Post }) {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { data: timeline = [] } = useQuery(contentTimeline(workspaceId, post.uploadId))
  const { data: connections = [] } = useQuery(workspacesConnections(workspaceId))
  const { data: platforms = [] } = useQuery({ ...platformsList(), staleTime: Number.POSITIVE_INFINITY })
  const changes = usePostChanges(post)
  const outcome = readOutcome(post)
  return (
    <>
      <PageHeader title={excerptOf(post, t('untitled'))} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 grow basis-48 flex-wrap items-center gap-2">
          <StatusBadge status={shownStatus(post)} />
          {post.archived && <Badge>{t('archived')}</Badge>}
          <PostTime post={post} />
          {post.createdBy && <PostAuthor by={post.createdBy} />}
        </div>
        <div className="flex flex-wrap gap-2">
          <PostActions post={post} changes={changes} />
        </div>
      </div>
      <SeriesNotice post={post} />
      <PostLabels post={post} />
      <ApprovalNotice post={post} changes={changes} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
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
        <PostContent post={post} />
      </div>
      <Suspense fallback={<SkeletonLines label={t('loading')} count={3} />}>
        <Discussion post={post} />
      </Suspense>
    </>
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

/** What the post says, for all accounts that have no text of their own. */
function PostContent({ post }: { post: Post }) {
  const { t } = useTranslation('posts')
  const { title, text, medias, linkUrl, aiGenerated, thread, firstComment, warnings } = post
  return (
    <section aria-label={t('content')} className="flex flex-col gap-3">
      <h2 className="font-serif text-xl">{t('content')}</h2>
      <Card className="flex flex-col gap-4">
        {title && <p className="font-semibold break-words">{title}</p>}
        {text ? <p className="break-words whitespace-pre-wrap">{text}</p> : !title && <p className="text-quiet">{t('noText')}</p>}
        {medias.length > 0 && (
          <ul className="grid grid-cols-3 gap-2">
            {medias.map((media, at) => (
              <li key={media.id ?? media.url}>
                <Picture media={media} label={media.alt || media.name || t('file', { number: at + 1 })} />
              </li>
            ))}
          </ul>
        )}
        {linkUrl && (
          <p className="flex items-center gap-2 text-sm text-quiet">
            <Link2 aria-hidden className="size-4 shrink-0" />
            <a href={linkUrl} target="_blank" rel="noreferrer" className="min-w-0 truncate">
              {linkUrl}
            </a>
          </p>
        )}
        {aiGenerated && (
          <p className="flex items-center gap-2 text-sm text-quiet">
            <Sparkles aria-hidden className="size-4 shrink-0" />
            {t('aiGenerated')}
          </p>
        )}
        {thread && (
          <ol aria-label={t('thread.rest')} className="flex flex-col gap-3">
            {thread.map((part, at) => (
              <li key={at} className="border-l-2 border-line pl-3 break-words whitespace-pre-wrap">
                {part.text}
              </li>
            ))}
          </ol>
        )}
        {firstComment && (
          <div className="flex items-start gap-2 border-t border-line pt-3">
            <MessageSquare aria-hidden className="mt-1 size-4 shrink-0 text-quiet" />
            <div className="min-w-0">
              <p className="text-sm text-quiet">{t('firstComment')}</p>
              <p className="break-words whitespace-pre-wrap">{firstComment.text}</p>
            </div>
          </div>
        )}
      </Card>
      {warnings.length > 0 && (
        <Notice kind="warning" title={t('warnings')}>
          <WarningList warnings={warnings} issues={post.issues} />
        </Notice>
      )}
    </section>
  )
}

/** A signed address ends after an hour; the one of the thumbnail does not, and the page may stay open for days. */
function Picture({ media: { id, name, type, thumbnailUrl, pages }, label }: { media: Post['medias'][number]; label: string }) {
  const { id: workspaceId } = useWorkspace()
  if (id === null || thumbnailUrl === null || type === null)
    return <FileTile type={type} name={name ?? label} pages={pages} className="aspect-square w-full rounded-control" />
  return (
    <img
      src={`/api/workspaces/${workspaceId}/media/${id}/thumbnail`}
      alt={label}
      className="aspect-square w-full rounded-control bg-sunken object-cover"
    />
  )
}
