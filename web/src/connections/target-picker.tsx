import type { Connection } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** Chooses the page or account to publish to, where one sign-in gives access to several. */
export function TargetPicker({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { targets = [], target } = connection
  const { mutate, isPending } = useChange({
    run: (targetId: string) => carillon.workspaces.chooseTarget(workspaceId, connection.id, { targetId }),
    affects: () => [['workspaces.connections', workspaceId]],
    done: (targetId) => ({ title: t('targetChosen', { name: targets.find(({ id }) => id === targetId)?.name ?? '' }) }),
  })
  if (targets.length < 2) return null
  return (
    <Field label={t('target')} hint={t('targetHint')}>
      <Select
        options={targets.map(({ id, name, kind }) => ({ value: id, label: name, note: kind }))}
        {...(target && { value: target.id })}
        placeholder={t('targetPlaceholder')}
        disabled={isPending}
        onChange={(id) => id !== target?.id && mutate(id)}
      />
    </Field>
  )
}
