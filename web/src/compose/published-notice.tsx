import type { Post } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** The address of a post that cannot be changed any more. */
export function PublishedNotice({ post: { uploadId } }: { post: Post }) {
  const { t } = useTranslation('compose')
  const { id: workspaceId } = useWorkspace()
  return (
    <Notice
      title={t('notDraft.title')}
      actions={
        <Link
          to="/w/$workspaceId/posts/$postId"
          params={{ workspaceId, postId: uploadId }}
          className={buttonLook({ size: 'sm' })}
        >
          {t('notDraft.show')}
        </Link>
      }
    >
      {t('notDraft.sentence')}
    </Notice>
  )
}
