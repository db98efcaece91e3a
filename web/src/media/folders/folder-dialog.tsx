import type { MediaFolder } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Dialog, actionsLook } from '../../ui/overlay/dialog.tsx'
import { affectedByFolders } from './use-folders.ts'

type FolderDialogProps = {
  workspaceId: string
  /** Without one, a new folder is made. */
  folder?: MediaFolder
  onClose: () => void
  onSaved?: (folder: MediaFolder) => void
}

/** The name of a new folder, or of this one. */
export function FolderDialog({ workspaceId, folder, onClose, onSaved }: FolderDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '' }) => {
      const body = { name: name.trim() }
      return folder
        ? carillon.media.updateFolder(folder.id, body, { workspaceId })
        : carillon.media.createFolder(body, { workspaceId })
    },
    (saved) => {
      void queryClient.invalidateQueries({ queryKey: ['media.folders', workspaceId] })
      onSaved?.(saved)
      onClose()
    },
  )
  const title = folder ? t('folders.rename', folder) : t('folders.create')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={title} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
        <Field label={t('folders.name')} error={fieldErrors['name']}>
          <Input name="name" defaultValue={folder?.name ?? ''} required maxLength={60} autoComplete="off" />
        </Field>
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending}>
            {folder ? t('details.save') : t('folders.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type RemoveFolderDialogProps = { workspaceId: string; folder: MediaFolder; onClose: () => void; onRemoved: () => void }

/** The files of a folder stay, and the question says so. */
export function RemoveFolderDialog({ workspaceId, folder, onClose, onRemoved }: RemoveFolderDialogProps) {
  const { t } = useTranslation('media')
  const { t: shell } = useTranslation('shell')
  const { mutate, isPending } = useChange({
    run: () => carillon.media.removeFolder(folder.id, { workspaceId }),
    affects: () => affectedByFolders(workspaceId),
    done: () => ({ title: t('folders.removed', folder) }),
    onDone: () => {
      onClose()
      onRemoved()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('folders.removeTitle', folder)}
      description={t('folders.removeText', { count: folder.files })}
      cancelLabel={shell('cancel')}
      confirmLabel={t('folders.removeConfirm')}
      isBusy={isPending}
      onConfirm={() => mutate()}
    />
  )
}
