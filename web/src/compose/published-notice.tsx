import type { Post } from '@carillon/sdk'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** The address of a draft that is none any more: a scheduled post can become one again, others are shown on their page. */
export function PublishedNotice({ post, onDraft }: { post: Post; onDraft: () => void }) {
  const { t } = useTranslation('compose')
  const { id: workspaceId } = useWorkspace()
  const { uploadId, status } = post
  const { mutate, isPending } = useChange({
    run: () => carillon.content.unschedule(uploadId, { workspaceId }),
    affects: () => [
      ['content.get', workspaceId, uploadId],
      ['content.list', workspaceId],
      ['content.calendar', workspaceId],
    ],
    onDone: onDraft,
  })
  const isScheduled = status === 'scheduled'
  return (
    <Notice
      title={isScheduled ? t('notDraft.scheduledTitle') : t('notDraft.title')}
      actions={
        <>
          {isScheduled && (
            <Button size="sm" variant="primary" isBusy={isPending} onClick={() => mutate(undefined)}>
              {t('notDraft.unschedule')}
            </Button>
          )}
          <Link
            to="/w/$workspaceId/posts/$postId"
            params={{ workspaceId, postId: uploadId }}
            className={buttonLook({ size: 'sm' })}
          >
            {t('notDraft.show')}
          </Link>
        </>
      }
    >
      {isScheduled ? t('notDraft.scheduled') : t('notDraft.sentence')}
    </Notice>
  )
}
