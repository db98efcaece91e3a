import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contentGet } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { cameFrom } from '../workspaces/came-from.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { excerptOf } from './excerpt-of.ts'
import { PostView } from './lazy-post-view.ts'

/** The page of a post, to which mails, notices and other pages lead. The calendar and the list show the same in a panel. */
export function PostPage() {
  const { t } = useTranslation('posts')
  const { id: workspaceId } = useWorkspace()
  const { postId } = useParams({ from: '/w/$workspaceId/posts/$postId' })
  const navigate = useNavigate()
  const { data: post, error, refetch } = useQuery(contentGet(workspaceId, postId))
  const toList = () => void navigate({ to: '/w/$workspaceId/posts', params: { workspaceId } })
  return (
    <div className="flex max-w-6xl flex-col gap-5">
      <BackLink />
      <PageHeader title={post ? excerptOf(post, t('untitled')) : t('post')} />
      <Suspense fallback={<SkeletonLines label={t('loading')} count={6} />}>
        {post && <PostView post={post} onDeleted={toList} />}
      </Suspense>
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
