import { useQuery } from '@tanstack/react-query'
import { ChevronUp, ListPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queuesList, queuesSlots } from '../../api/queries.gen.ts'
import { formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu } from '../../ui/overlay/lazy-menu.tsx'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useCompose } from '../compose-context.ts'

type QueueButtonProps = { isBusy: boolean; isDisabled: boolean; onEnqueue: (queueId: string) => void }

/** One click gives the post the next free slot, whose time stands in the button. There is no button while no queue has slots. */
export function QueueButton({ isBusy, isDisabled, onEnqueue }: QueueButtonProps) {
  const { t } = useTranslation('compose')
  const style = useTimeStyle()
  const hint = useId()
  const { workspaceId, state } = useCompose()
  const { data: all = [] } = useQuery(queuesList(workspaceId))
  const [chosen, setChosen] = useState('')
  const queues = all.filter(({ slots }) => slots.length > 0)
  const queue = queues.find(({ id }) => id === chosen) ?? queues[0]
  const accounts = state.accounts.join(',')
  const query = { free: 'true' as const, limit: 1, ...(accounts !== '' && { connection: accounts }) }
  const { data: next } = useQuery({
    ...queuesSlots(workspaceId, queue?.id ?? '', query),
    enabled: queue !== undefined,
    placeholderData: (before) => before,
  })
  if (!queue || !next) return null
  const at = next.slots[0]?.at
  const choose = async () => {
    const { MenuRadio } = await import('../../ui/overlay/menu.tsx')
    const choices = queues.map(({ id, name }) => ({ value: id, label: name }))
    return () => <MenuRadio label={t('queue.choose')} value={queue.id} choices={choices} onChange={setChosen} />
  }
  return (
    <div className="flex max-sm:order-first max-sm:w-full">
      <Button
        isBusy={isBusy}
        disabled={isDisabled || at === undefined}
        aria-describedby={hint}
        icon={<ListPlus aria-hidden />}
        onClick={() => onEnqueue(queue.id)}
        className={`max-sm:flex-1 ${queues.length > 1 ? 'rounded-r-none' : ''}`}
      >
        {t('queue.add')}
        <span className="figures font-normal text-quiet">
          {at === undefined ? t('queue.full') : formatTime(at, 'dayAndTime', style)}
        </span>
      </Button>
      {queues.length > 1 && (
        <LazyMenu
          key={queue.id}
          side="top"
          trigger={
            <IconButton
              label={t('queue.choose')}
              icon={<ChevronUp aria-hidden />}
              className="rounded-l-none border border-l-0 border-edge bg-surface"
            />
          }
          load={choose}
        />
      )}
      <span id={hint} className="sr-only">
        {at === undefined ? t('queue.full') : t('queue.next', { queue: queue.name, time: formatTime(at, 'dayAndTime', style) })}
      </span>
    </div>
  )
}
