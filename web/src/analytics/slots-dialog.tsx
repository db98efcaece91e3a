import type { HourFigures, Queue } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { analyticsBestTimes, queuesList } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { zoneCity } from '../time/format-time.ts'
import { Button, buttonLook } from '../ui/button.tsx'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { Field } from '../ui/form/field.tsx'
import { Select } from '../ui/form/select.tsx'
import { Dialog, actionsLook } from '../ui/overlay/dialog.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { useHourWords } from './use-hour-words.ts'

type Slot = Queue['slots'][number]

const slotOf = ({ day, hour }: HourFigures): Slot => ({ day, time: `${String(hour).padStart(2, '0')}:00` })
const keyOf = ({ day, time }: Slot) => `${day} ${time}`

/** Adds the best times to a queue. */
export function SlotsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('analytics')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId } = useWorkspace()
  const { data: queues, error, refetch } = useQuery(queuesList(workspaceId))
  const [chosenId, setChosenId] = useState<string | null>(null)
  const queue = queues?.find(({ id }) => id === chosenId) ?? queues?.[0]
  return (
    <Dialog
      open
      size="md"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('best.use')}
      description={t(queues?.length === 0 ? 'best.noQueue' : 'best.useText')}
      closeLabel={shell('close')}
    >
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!queues && !error && <SkeletonLines label={t('loading')} />}
      {queues?.length === 0 && (
        <div className={actionsLook}>
          <Link
            to="/w/$workspaceId/settings/$section"
            params={{ workspaceId, section: 'queue' }}
            className={buttonLook({ variant: 'primary' })}
          >
            {t('best.toQueues')}
          </Link>
        </div>
      )}
      {queues && queues.length > 1 && queue && (
        <Field label={t('best.queue')}>
          <Select value={queue.id} onChange={setChosenId} options={queues.map(({ id, name }) => ({ value: id, label: name }))} />
        </Field>
      )}
      {queue && <SlotChoice key={queue.id} queue={queue} onClose={onClose} />}
    </Dialog>
  )
}

/** The best times on the clocks of the queue, and which of them become slots. Those that it has already stay as they are. */
function SlotChoice({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const { t } = useTranslation('analytics')
  const { t: shell } = useTranslation('shell')
  const { id: workspaceId, timezone } = useWorkspace()
  const words = useHourWords()
  const zone = queue.timezone ?? timezone
  const { data, error, refetch } = useQuery(analyticsBestTimes(workspaceId, zone === timezone ? {} : { timezone: zone }))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const stored = new Set(queue.slots.map(keyOf))
  const best = data?.best ?? []
  const added = best.map(slotOf).filter((slot) => !stored.has(keyOf(slot)) && !left.has(keyOf(slot)))
  const { mutate: add, isPending } = useChange({
    run: async () => {
      // A change replaces all slots. What another member has added since the page was loaded must stay.
      const { slots } = await carillon.queues.get(queue.id, { workspaceId })
      const known = new Set(slots.map(keyOf))
      const missing = added.filter((slot) => !known.has(keyOf(slot)))
      return carillon.queues.update(queue.id, { slots: [...slots, ...missing] }, { workspaceId })
    },
    affects: () => [
      ['queues.list', workspaceId],
      ['queues.slots', workspaceId],
    ],
    done: () => ({ title: t('best.added', { count: added.length, queue: queue.name }) }),
    onDone: onClose,
  })
  const toggle = (key: string, isOn: boolean) =>
    setLeft(new Set(isOn ? [...left].filter((each) => each !== key) : [...left, key]))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines label={t('loading')} />
  return (
    <>
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-2 text-sm font-medium">{t('best.slotsOf', { queue: queue.name, zone: zoneCity(zone) })}</legend>
        {best.map((hour) => {
          const key = keyOf(slotOf(hour))
          const isStored = stored.has(key)
          return (
            <Checkbox
              key={key}
              label={<span className="figures font-medium">{words.nameOf(hour)}</span>}
              note={isStored ? t('best.alreadySlot') : words.describe(hour)}
              checked={isStored || !left.has(key)}
              disabled={isStored}
              onChange={(isOn) => toggle(key, isOn)}
            />
          )
        })}
      </fieldset>
      <div className={actionsLook}>
        <Button onClick={onClose}>{shell('cancel')}</Button>
        <Button variant="primary" isBusy={isPending} disabled={added.length === 0} onClick={() => add(undefined)}>
          {t('best.add', { count: added.length, queue: queue.name })}
        </Button>
      </div>
    </>
  )
}
