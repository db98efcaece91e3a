import type { Connection } from '@carillon/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { ConfirmDialog } from '../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../ui/overlay/show-toast.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { accountLabel } from './account-label.ts'

type DisconnectDialogProps = { connection: Connection; platform: string; onClose: () => void }

/** Says what happens to the scheduled posts before an account is disconnected. */
export function DisconnectDialog({ connection, platform, onClose }: DisconnectDialogProps) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { id, scheduledChannels: count } = connection
  const account = accountLabel(connection)
  const [isRevoking, setIsRevoking] = useState(false)
  const { mutate, isPending } = useChange({
    run: async () =>
      isRevoking
        ? carillon.workspaces.revoke(workspaceId, id)
        : carillon.workspaces.disconnect(workspaceId, id).then(() => ({ revoked: false, reason: null })),
    affects: () => [
      ['workspaces.connections', workspaceId],
      ['workspaces.attention', workspaceId],
      ['content.calendar', workspaceId],
      ['content.list', workspaceId],
    ],
    onDone({ reason }) {
      if (reason === null)
        showToast({ title: isRevoking ? t('disconnect.revoked', { account, platform }) : t('disconnect.done', { account }) })
      else showToast({ kind: 'failed', title: t('disconnect.notRevoked', { account, platform }), description: reason })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('disconnect.title', { account })}
      description={
        <>
          <span className="block">{t('disconnect.posts', { count })}</span>
          <span className="block">{t('disconnect.kept')}</span>
        </>
      }
      cancelLabel={t('cancel')}
      confirmLabel={t('disconnect.confirm')}
      isBusy={isPending}
      onConfirm={() => mutate()}
    >
      <Checkbox
        label={t('disconnect.revoke', { platform })}
        note={t('disconnect.revokeNote')}
        checked={isRevoking}
        onChange={setIsRevoking}
      />
    </ConfirmDialog>
  )
}
