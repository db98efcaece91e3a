import type { Queue } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { actionsLook, Dialog } from '../../ui/overlay/dialog.tsx'
import { useAccess } from '../use-access.ts'

/** What most people begin with; the grid shows how to change it. */
const slotsAtFirst = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => ({ day, time: '09:00' }))

/** The name and the zone of a new queue, or of this one. */
export function QueueDialog({ queue, onClose }: { queue?: Queue; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspace, workspaceId } = useAccess()
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ name = '', timezone = '' }) => {
      const body = { name: name.trim(), timezone: timezone.trim() === '' ? null : timezone.trim() }
      return queue
        ? carillon.queues.update(queue.id, body, { workspaceId })
        : carillon.queues.create({ ...body, slots: slotsAtFirst }, { workspaceId })
    },
    () => {
      void queryClient.invalidateQueries({ queryKey: ['queues.list', workspaceId] })
      void queryClient.invalidateQueries({ queryKey: ['queues.slots', workspaceId] })
      onClose()
    },
  )
  const title = queue ? t('queue.edit') : t('queue.create')
  return (
    <Dialog open size="md" onOpenChange={(isOpen) => !isOpen && onClose()} title={title} closeLabel={shell('close')}>
      <Form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
        <Field label={t('queue.name')} error={fieldErrors['name']}>
          <Input name="name" defaultValue={queue?.name ?? t('queue.nameAtFirst')} required maxLength={100} />
        </Field>
        <ZoneField
          label={t('queue.zone')}
          hint={t('queue.zoneHint')}
          defaultValue={queue?.timezone ?? ''}
          emptyMeans={workspace.timezone}
          isRequired={false}
          error={fieldErrors['timezone']}
        />
        <div className={actionsLook}>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button type="submit" variant="primary" isBusy={isPending}>
            {queue ? t('save') : t('queue.create')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
