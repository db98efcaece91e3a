import { CalendarClock, CircleAlert, Save, Send } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useClockText } from '../../schedule/use-clock-text.ts'
import { Button } from '../../ui/button.tsx'
import { useNeedsApproval } from '../../workspaces/use-needs-approval.ts'
import { useOwnZone } from '../../workspaces/use-own-zone.ts'
import { useTimeStyle } from '../../workspaces/use-time-style.ts'
import { useCompose } from '../compose-context.ts'
import { Consent } from '../declarations/consent.tsx'
import { timeFacts } from '../schedule/time-facts.ts'
import type { SaveStatus } from '../saving/draft-saver.ts'
import { QueueButton } from './queue-button.tsx'
import { SaveState } from './save-state.tsx'

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
