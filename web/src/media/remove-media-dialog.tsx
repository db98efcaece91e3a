import { CarillonError, type Media } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { PostsUsing } from './posts-using.tsx'

type RemoveMediaDialogProps = { media: Media; workspaceId: string; onClose: () => void; onRemoved: () => void }

/** Says which posts use the file. A post that may still be published is mentioned by the server, and then a second yes is needed. */
export function RemoveMediaDialog({ media, workspaceId, onClose, onRemoved }: RemoveMediaDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const { mutate, isPending, error } = useChange({
    run: (force: boolean) => carillon.media.remove(media.id, force ? { force: 'true' } : {}, { workspaceId }),
    affects: () => [
      ['media.list', workspaceId],
      ['media.tags', workspaceId],
    ],
    done: () => ({ title: t('remove.done', { name: media.name }) }),
    onDone: onRemoved,
    showsErrors: false,
  })
  const isNeeded = error instanceof CarillonError && error.code === 'media_in_use'
  const isUsed = media.usedBy.length > 0
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('remove.title', { name: media.name })}
      description={isUsed ? t('remove.used') : t('remove.unused')}
      cancelLabel={shell('cancel')}
      confirmLabel={isNeeded ? t('remove.anyway') : t('remove.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate(isNeeded)}
    >
      {isUsed && <PostsUsing workspaceId={workspaceId} postIds={media.usedBy} />}
      {isNeeded && (
        <Notice kind="warning" title={t('remove.needed')}>
          {t('remove.neededHint')}
        </Notice>
      )}
      {error && !isNeeded && <ErrorNotice error={error} />}
    </ConfirmDialog>
  )
}
