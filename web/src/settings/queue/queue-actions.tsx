import type { Queue } from '@carillon/sdk'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { useMay } from '../../workspaces/use-may.ts'
import { useAccess } from '../use-access.ts'
import { QueueDialog } from './queue-dialog.tsx'

/** Posts are moved forward by everybody who may schedule them; the queue itself is changed by admins. */
export function QueueActions({ queue }: { queue: Queue }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { workspaceId, isAdmin } = useAccess()
  const isEditor = useMay('editor')
  const [open, setOpen] = useState<'edit' | 'remove' | 'reflow' | null>(null)
  const close = () => setOpen(null)
  const slots = ['queues.slots', workspaceId]
  const { mutate: reflow, isPending: isMoving } = useChange({
    run: () => carillon.queues.reflow(queue.id, { workspaceId }),
    affects: () => [slots, ['content.calendar', workspaceId], ['content.list', workspaceId], ['content.get', workspaceId]],
    done: (_input: void, { moved }) => ({ title: t('queue.moved', { count: moved.length }) }),
    onDone: close,
  })
  const { mutate: remove, isPending: isRemoving } = useChange({
    run: () => carillon.queues.remove(queue.id, { workspaceId }),
    affects: () => [['queues.list', workspaceId], slots],
    done: () => ({ title: t('queue.removed') }),
    onDone: close,
  })
  const isRemove = open === 'remove'
  return (
    <div className="flex flex-wrap gap-2">
      {isEditor && queue.slots.length > 0 && (
        <Button size="sm" onClick={() => setOpen('reflow')}>
          {t('queue.reflow')}
        </Button>
      )}
      {isAdmin && (
        <>
          <Button size="sm" onClick={() => setOpen('edit')}>
            {t('queue.edit')}
          </Button>
          <Button size="sm" onClick={() => setOpen('remove')}>
            {t('queue.remove')}
          </Button>
        </>
      )}
      {open === 'edit' && <QueueDialog queue={queue} onClose={close} />}
      <ConfirmDialog
        open={isRemove || open === 'reflow'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={isRemove ? t('queue.removeTitle', { queue: queue.name }) : t('queue.reflowTitle')}
        description={isRemove ? t('queue.removeText') : t('queue.reflowText')}
        cancelLabel={shell('cancel')}
        confirmLabel={isRemove ? t('queue.remove') : t('queue.reflow')}
        isDangerous={isRemove}
        isBusy={isMoving || isRemoving}
        onConfirm={() => (isRemove ? remove() : reflow())}
      />
    </div>
  )
}
