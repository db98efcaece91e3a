import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { contentGet } from '../api/queries.gen.ts'
import { StatusBadge } from '../posts/status-badge.tsx'

const shownMax = 5

/** The posts that use a file, newest first. */
export function PostsUsing({ workspaceId, postIds }: { workspaceId: string; postIds: readonly string[] }) {
  const { t } = useTranslation('media')
  const posts = useQueries({ queries: postIds.slice(0, shownMax).map((id) => contentGet(workspaceId, id)) })
  if (postIds.length === 0) return <p className="text-sm text-quiet">{t('usedBy.none')}</p>
  const more = postIds.length - shownMax
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm font-medium">{t('usedBy.title', { count: postIds.length })}</p>
      <ul className="flex flex-col gap-1">
        {posts.flatMap(({ data: post }) =>
          post
            ? [
                <li key={post.uploadId} className="flex items-center justify-between gap-3 text-sm">
                  <Link
                    to="/w/$workspaceId/posts/$postId"
                    params={{ workspaceId, postId: post.uploadId }}
                    className="min-w-0 truncate py-1"
                  >
                    {post.title || post.text || t('usedBy.untitled')}
                  </Link>
                  <StatusBadge status={post.status} />
                </li>,
              ]
            : [],
        )}
      </ul>
      {more > 0 && <p className="text-sm text-quiet">{t('usedBy.more', { count: more })}</p>}
    </div>
  )
}
