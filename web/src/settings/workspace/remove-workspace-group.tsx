import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesConnections, workspacesMembers } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'

/** Deletes the workspace. The person types its name, and sees what goes with it. */
export function RemoveWorkspaceGroup() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspace, workspaceId } = useAccess()
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [isMismatch, setIsMismatch] = useState(false)
  const { data: members = [] } = useQuery({ ...workspacesMembers(workspaceId), enabled: isAsking })
  const { data: connections = [] } = useQuery({ ...workspacesConnections(workspaceId), enabled: isAsking })
  const { mutate, isPending, error } = useChange({
    run: () => carillon.workspaces.remove(workspaceId),
    affects: () => [],
    onDone: () => {
      queryClient.clear()
      location.assign('/')
    },
    showsErrors: false,
  })
  const confirm = () => (typed.trim() === workspace.name ? mutate(undefined) : setIsMismatch(true))
  return (
    <SettingGroup
      title={t('removeWorkspace.title')}
      description={t('removeWorkspace.text')}
      actions={
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {t('removeWorkspace.open')}
        </Button>
      }
    >
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('removeWorkspace.ask', { name: workspace.name })}
        description={t('removeWorkspace.consequence', { members: members.length, connections: connections.length })}
        cancelLabel={shell('cancel')}
        confirmLabel={t('removeWorkspace.confirm')}
        isBusy={isPending}
        onConfirm={confirm}
      >
        <Field
          label={t('removeWorkspace.type', { name: workspace.name })}
          error={isMismatch ? t('removeWorkspace.mismatch') : undefined}
        >
          <Input value={typed} autoComplete="off" onValueChange={(next: string) => setTyped(next)} />
        </Field>
        {error && <ErrorNotice error={error} />}
      </ConfirmDialog>
    </SettingGroup>
  )
}
