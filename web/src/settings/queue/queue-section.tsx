import type { Queue } from '@carillon/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { queuesList, queuesSlots } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'
import { formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Dialog, actionsLook } from '../../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useMay } from '../../workspaces/use-workspace.ts'
import { SettingGroup } from '../setting-group.tsx'
import { useAccess } from '../use-access.ts'
import { WeekSlots } from './week-slots.tsx'

/** The queues of the workspace, each with the times of its week and the slots that come next. */
export function QueueSection() {
  const { t } = useTranslation('settings')
  const { workspaceId, isAdmin } = useAccess()
  const { data: queues, error, refetch } = useQuery(queuesList(workspaceId))
  const [isAdding, setIsAdding] = useState(false)
  const addButton = isAdmin && (
    <Button
      variant={queues?.length === 0 ? 'primary' : 'secondary'}
      icon={<Plus aria-hidden />}
      onClick={() => setIsAdding(true)}
    >
      {t('queue.create')}
    </Button>
  )
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-[68ch] text-quiet">{t('queue.text')}</p>
        {queues && queues.length > 0 && addButton}
      </div>
      {!isAdmin && <Notice title={t('onlyAdmins')} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!queues && !error && <SkeletonLines label={t('loading')} />}
      {queues?.length === 0 && (
        <EmptyState icon={<CalendarClock aria-hidden />} title={t('queue.empty')} actions={addButton}>
          {t('queue.emptyHint')}
        </EmptyState>
      )}
      {queues?.map((queue) => (
        <QueueGroup key={queue.id} queue={queue} />
      ))}
      {isAdding && <QueueDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

function QueueGroup({ queue }: { queue: Queue }) {
  const { t } = useTranslation('settings')
  const { workspace, isAdmin } = useAccess()
  return (
    <SettingGroup
      title={queue.name}
      description={t('queue.zoneIs', { zone: (queue.timezone ?? workspace.timezone).replaceAll('_', ' ') })}
      actions={<QueueActions queue={queue} />}
    >
      <div className="flex min-w-0 flex-col gap-6 xl:flex-row xl:gap-10">
        {/* What another member saves starts the form again. */}
        <WeekSlots key={queue.updatedAt} queue={queue} canChange={isAdmin} />
        {queue.slots.length > 0 && <NextSlots queue={queue} />}
      </div>
    </SettingGroup>
  )
}

/** The slots that come next, and the posts that have them. */
function NextSlots({ queue }: { queue: Queue }) {
  const { t } = useTranslation('settings')
  const { workspaceId } = useAccess()
  const style = useTimeStyle()
  const { data } = useQuery(queuesSlots(workspaceId, queue.id, { limit: 6 }))
  if (!data || data.slots.length === 0) return null
  return (
    <section aria-label={t('queue.next')} className="xl:w-64 xl:shrink-0">
      <h4 className="text-sm font-medium">{t('queue.next')}</h4>
      <ul className="mt-2 flex flex-col">
        {data.slots.map(({ at, uploadId }) => (
          <li
            key={at}
            className="flex min-h-9 items-center justify-between gap-3 border-b border-line text-sm last:border-b-0 pointer-coarse:min-h-11"
          >
            <time dateTime={at} className="figures">
              {formatTime(at, 'dayAndTime', { ...style, zone: data.timezone })}
            </time>
            {uploadId === null ? (
              <span className="text-quiet">{t('queue.free')}</span>
            ) : (
              <Link to="/w/$workspaceId/posts/$postId" params={{ workspaceId, postId: uploadId }}>
                {t('queue.post')}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Posts are moved forward by everybody who may schedule them; the queue itself is changed by admins. */
function QueueActions({ queue }: { queue: Queue }) {
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

/** What most people begin with; the grid shows how to change it. */
const slotsAtFirst = (['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const).map((day) => ({ day, time: '09:00' }))

/** The name and the zone of a new queue, or of this one. */
function QueueDialog({ queue, onClose }: { queue?: Queue; onClose: () => void }) {
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
