import { Plus } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCalendarActions } from './calendar-actions.ts'
import { EntryChip } from './entry-chip.tsx'
import type { ShownEntry, Slot } from './shown-entry.ts'

type SlotCellProps = {
  slot: Slot
  label: string
  entries: readonly ShownEntry[]
  chipsMax: number
  /** Up to so many posts have two lines each. */
  roomyMax: number
  /** It is over: it can be looked at, and nothing can be planned for it. */
  isPast: boolean
  /** The one cell that the Tab key reaches. */
  isActive: boolean
  className: string
  children?: ReactNode
}

/** A day or an hour. A click on its free space opens the composer for it; a plus says so to those who point at it. */
export function SlotCell(props: SlotCellProps) {
  const { slot, label, entries, chipsMax, roomyMax, isPast, isActive, className, children } = props
  const { t } = useTranslation('calendar')
  const { write, showDay, mayWrite } = useCalendarActions()
  const isFree = mayWrite && !isPast
  const fits = entries.length <= chipsMax
  const shown = fits ? entries : entries.slice(0, chipsMax - 1)
  const onClick = (event: MouseEvent) => {
    const { target, currentTarget } = event
    // React also sends the clicks of a menu that belongs to a post of this cell; in the document, the menu is elsewhere.
    if (target instanceof Element && currentTarget.contains(target) && !target.closest('a, button')) write(slot)
  }
  return (
    // The arrow keys move between cells, and Enter does the same as a click: use-grid-keys.ts.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="gridcell"
      data-slot={slot}
      data-past={isPast || undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      className={`${cellLook} ${isFree ? 'cursor-pointer hover:bg-hover' : ''} ${className}`}
    >
      <span className="sr-only">{`${label}, ${t('posts', { count: entries.length })}`}</span>
      {children}
      {isFree && <Plus aria-hidden className={plusLook} />}
      {shown.map((entry) => (
        <EntryChip key={entry.uploadId} entry={entry} isRoomy={entries.length <= roomyMax} />
      ))}
      {!fits && (
        <button type="button" data-item tabIndex={-1} className={moreLook} onClick={() => showDay(slot.slice(0, 10))}>
          {t('more', { count: entries.length - shown.length })}
        </button>
      )}
    </div>
  )
}

const cellLook = [
  'group/cell relative flex min-w-0 flex-col gap-0.5 border-r border-b border-line p-1 transition-colors',
  'focus-visible:z-10 focus-visible:outline-offset-[-2px] data-over:bg-bell-wash data-over:outline-2 data-over:outline-offset-[-2px] data-over:outline-bell',
].join(' ')

const plusLook =
  'pointer-events-none absolute top-1.5 right-1.5 size-4.5 rounded-full text-bell opacity-0 group-hover/cell:opacity-100 group-focus/cell:opacity-100'

const moreLook = 'min-h-6 rounded-chip px-1.5 text-left text-xs font-medium text-quiet hover:text-ink hover:underline'
