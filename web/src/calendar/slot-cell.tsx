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
  /** The one cell that the Tab key reaches. */
  isActive: boolean
  className: string
  children?: ReactNode
}

/** A day or an hour. A click on its free space opens the composer for it. */
export function SlotCell({ slot, label, entries, chipsMax, roomyMax, isActive, className, children }: SlotCellProps) {
  const { t } = useTranslation('calendar')
  const { write, showDay, mayWrite } = useCalendarActions()
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
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
      className={`${cellLook} ${mayWrite ? 'cursor-pointer' : ''} ${className}`}
    >
      <span className="sr-only">{`${label}, ${t('posts', { count: entries.length })}`}</span>
      {children}
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
  'flex min-w-0 flex-col gap-0.5 border-r border-b border-line p-1 transition-colors',
  'hover:bg-hover focus-visible:z-10 focus-visible:outline-offset-[-2px] data-over:bg-bell-wash data-over:outline-2 data-over:outline-offset-[-2px] data-over:outline-bell',
].join(' ')

const moreLook = 'min-h-6 rounded-chip px-1.5 text-left text-xs font-medium text-quiet hover:text-ink hover:underline'
