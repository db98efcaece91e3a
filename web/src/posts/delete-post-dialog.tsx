import type { PostStatus } from '@carillon/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

type DeletePostDialogProps = {
  post: { uploadId: string; status: PostStatus }
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before a post is deleted, and whether what is published goes too. */
export function DeletePostDialog({ post, onClose, onDeleted }: DeletePostDialogProps) {
  const { t } = useTranslation(['posts', 'shell'])
  const { id: workspaceId } = useWorkspace()
  const [isUnpublished, setIsUnpublished] = useState(false)
  const isPublished = post.status === 'completed' || post.status === 'partial_failure'
  const { mutate, isPending } = useChange({
    run: () => carillon.content.remove(post.uploadId, isUnpublished ? { unpublish: 'true' } : {}, { workspaceId }),
    affects: () => [
      ['content.calendar', workspaceId],
      ['content.list', workspaceId],
      ['workspaces.attention', workspaceId],
    ],
    done: (_input, result) => {
      const left = (result?.channels ?? []).filter(({ outcome }) => outcome === 'failed' || outcome === 'not_supported').length
      return { title: left > 0 ? t('delete.partly', { count: left }) : t('delete.done') }
    },
    onDone: () => {
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('delete.title')}
      description={isPublished ? t('delete.published') : t('delete.text')}
      cancelLabel={t('shell:cancel')}
      confirmLabel={t('delete.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate(undefined)}
    >
      {isPublished && (
        <Checkbox
          label={t('delete.unpublish')}
          note={t('delete.unpublishNote')}
          checked={isUnpublished}
          onChange={setIsUnpublished}
        />
      )}
    </ConfirmDialog>
  )
}
