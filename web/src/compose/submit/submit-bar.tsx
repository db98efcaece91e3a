import { useQuery } from '@tanstack/react-query'
import {
  CalendarClock,
  ChevronUp,
  CircleAlert,
  CircleCheck,
  CloudOff,
  CloudUpload,
  ListPlus,
  Save,
  Send,
  TriangleAlert,
} from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queuesList, queuesSlots } from '../../api/queries.gen.ts'
import { useClockText } from '../../schedule/use-clock-text.ts'
import { formatTime } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LazyMenu } from '../../ui/overlay/lazy-menu.tsx'
import { useOwnZone } from '../../workspaces/use-me.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useNeedsApproval } from '../../workspaces/use-workspace.ts'
import { useCompose } from '../compose-context.ts'
import { Consent } from '../declarations/consent.tsx'
import type { SaveStatus } from '../saving/draft-saver.ts'
import { timeFacts } from '../schedule/time-facts.ts'

type SubmitBarProps = {
  status: SaveStatus
  /** What is under way. */
  busyWith: 'publish' | 'queue' | null
  /** The post is scheduled already, and stays it. */
  isScheduled: boolean
  /** How many things are in the way, after an attempt. */
  problemCount: number
  /** Why nothing can be published at the moment, where a platform wants the button to be off for it. */
  obstacle: string | null
  onShowProblems: () => void
  onSave: () => void
  onSubmit: () => void
  onEnqueue: (queueId: string) => void
}

/** Always in sight at the lower edge; on a phone above the navigation. */
export function SubmitBar({
  status,
  busyWith,
  isScheduled,
  problemCount,
  obstacle,
  onShowProblems,
  onSave,
  onSubmit,
  onEnqueue,
}: SubmitBarProps) {
  const { t } = useTranslation('compose')
  const style = useTimeStyle()
  const ownZone = useOwnZone()
  const { write } = useClockText()
  const { when } = useCompose().state
  const bar = useBarHeight()
  const needsApproval = useNeedsApproval() && !isScheduled
  const facts = when.isLater ? timeFacts(when, { style, ownZone }) : null
  return (
    <div
      ref={bar}
      className="sticky bottom-14 z-20 -mx-4 mt-auto border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6 md:bottom-0 md:-mx-8 md:px-8"
    >
      <div className="flex max-w-6xl flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Consent />
        {obstacle !== null && <p className="w-full text-right text-sm font-medium text-rust">{obstacle}</p>}
        {problemCount > 0 && (
          <button
            type="button"
            onClick={onShowProblems}
            className="inline-flex min-h-6 items-center gap-1.5 text-sm font-medium text-rust underline [&_svg]:size-4"
          >
            <CircleAlert aria-hidden />
            {t('summary.show', { count: problemCount })}
          </button>
        )}
        <SaveState status={status} isScheduled={isScheduled} />
        <div className="flex flex-1 flex-wrap justify-end gap-2">
          {!isScheduled && (
            <Button icon={<Save aria-hidden />} onClick={onSave}>
              {t('submit.draft')}
            </Button>
          )}
          {!isScheduled && !needsApproval && (
            <QueueButton
              isBusy={busyWith === 'queue'}
              isDisabled={busyWith !== null || obstacle !== null}
              onEnqueue={onEnqueue}
            />
          )}
          <Button
            variant="primary"
            isBusy={busyWith === 'publish'}
            disabled={obstacle !== null || busyWith !== null}
            title={obstacle ?? undefined}
            icon={submitIcon(isScheduled, when.isLater && !needsApproval)}
            onClick={onSubmit}
          >
            {t(`submit.${submitWord({ isScheduled, needsApproval, isLater: when.isLater })}`)}
          </Button>
        </div>
        {facts && <p className="figures w-full text-right text-xs text-quiet">{write(facts.clocks)}</p>}
      </div>
    </div>
  )
}

/** Says how high the bar is, so that messages appear above it. It grows with what is said in it. */
function useBarHeight() {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!bar.current) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(([entry]) => style.setProperty('--bar-height', `${entry?.target.clientHeight ?? 0}px`))
    observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--bar-height')
    }
  }, [])
  return bar
}

type SubmitFacts = { isScheduled: boolean; needsApproval: boolean; isLater: boolean }

function submitWord({ isScheduled, needsApproval, isLater }: SubmitFacts) {
  if (isScheduled) return 'change'
  if (needsApproval) return 'approval'
  return isLater ? 'schedule' : 'now'
}

function submitIcon(isScheduled: boolean, isLater: boolean): ReactNode {
  if (isScheduled) return <Save aria-hidden />
  return isLater ? <CalendarClock aria-hidden /> : <Send aria-hidden />
}

const icons: Readonly<Record<SaveStatus, ReactNode>> = {
  clean: null,
  unsaved: null,
  waiting: <CloudUpload aria-hidden />,
  saving: <CloudUpload aria-hidden />,
  saved: <CircleCheck aria-hidden />,
  offline: <CloudOff aria-hidden />,
  signedOut: <CloudOff aria-hidden />,
  refused: <TriangleAlert aria-hidden />,
  conflict: <TriangleAlert aria-hidden />,
}

/** Whether what was written is safe. Only what matters is read out: not every save. */
function SaveState({ status, isScheduled }: { status: SaveStatus; isScheduled: boolean }) {
  const { t } = useTranslation('compose')
  const isWorth = status === 'offline' || status === 'signedOut' || status === 'refused' || status === 'conflict'
  return (
    <>
      <span
        data-save={status}
        className={`inline-flex min-w-0 items-center gap-1.5 text-sm [&_svg]:size-4 [&_svg]:shrink-0 ${isWorth ? 'text-straw' : 'text-quiet'}`}
      >
        {icons[status]}
        {isScheduled && status === 'clean' ? t('save.scheduled') : t(`save.${status}`)}
      </span>
      <output className="sr-only">{isWorth ? t(`save.${status}`) : ''}</output>
    </>
  )
}

type QueueButtonProps = { isBusy: boolean; isDisabled: boolean; onEnqueue: (queueId: string) => void }

/** One click gives the post the next free slot, whose time stands in the button. There is no button while no queue has slots. */
function QueueButton({ isBusy, isDisabled, onEnqueue }: QueueButtonProps) {
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
