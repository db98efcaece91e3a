import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'

/** Anybody can leave, except the only owner. */
export function LeaveGroup() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspace, workspaceId } = useAccess()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { mutate, isPending, error, reset } = useChange({
    run: () => carillon.workspaces.leave(workspaceId),
    affects: () => [],
    onDone: () => {
      queryClient.clear()
      location.assign('/')
    },
    showsErrors: false,
  })
  const open = () => {
    reset()
    setIsAsking(true)
  }
  return (
    <SettingGroup
      title={t('leave.title')}
      description={t('leave.text')}
      actions={<Button onClick={open}>{t('leave.open')}</Button>}
    >
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('leave.ask', { name: workspace.name })}
        description={t('leave.consequence')}
        cancelLabel={shell('cancel')}
        confirmLabel={t('leave.open')}
        isBusy={isPending}
        onConfirm={() => mutate(undefined)}
      >
        {error && <ErrorNotice error={error} />}
      </ConfirmDialog>
    </SettingGroup>
  )
}
