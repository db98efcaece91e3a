import { useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { NotesByDay } from '../notes/use-notes.ts'
import type { TimeStyle } from '../time/format-time.ts'
import type { ShownEntry, Slot } from './shown-entry.ts'
import { useDrops } from './use-drops.ts'
import { useGridKeys } from './use-grid-keys.ts'

export type GridProps = {
  day: string
  month: string
  today: string
  /** The wall time, `2027-03-28T09:00`. */
  now: string
  days: readonly string[]
  style: TimeStyle
  entries: readonly ShownEntry[]
  notes: NotesByDay
  isPending: boolean
  /** Shows the days around another one. */
  onDay: (day: string) => void
}

type SlotGridProps = GridProps & {
  label: string
  /** The slot that the Tab key reaches at first. */
  firstSlot: Slot
  neighbour: (slot: Slot, step: { across: number; down: number }) => Slot
  className: string
  children: (activeSlot: Slot) => ReactNode
}

/** A grid of cells with one tab stop: arrows move inside, and posts can be dropped on cells. */
export function SlotGrid(props: SlotGridProps) {
  const { days, day, entries, isPending, onDay, label, firstSlot, neighbour, className, children } = props
  const { t } = useTranslation('calendar')
  const grid = useRef<HTMLDivElement>(null)
  const keysId = useId()
  const [chosen, setChosen] = useState<Slot>(firstSlot)
  const activeSlot = days.includes(chosen.slice(0, 10)) ? chosen : wanted(firstSlot, day)
  const onKeyDown = useGridKeys({ grid, days, entries, neighbour, onSlot: setChosen, onDay })
  useDrops(grid)
  return (
    <>
      <p id={keysId} className="sr-only">
        {t('gridKeys')}
      </p>
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        aria-busy={isPending}
        aria-describedby={keysId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={`grid ${innerLines} ${className} ${isPending ? pendingCells : ''}`}
      >
        {children(activeSlot)}
      </div>
    </>
  )
}

/** Each cell has a line at its right and at its bottom. At the edges, the border of the grid takes their place. */
const innerLines = '[&>[role=row]>:last-child]:border-r-0 [&>[role=row]:last-child>*]:border-b-0'

/** A wash, and no fading: days and times stay readable while posts are loaded. */
const pendingCells = '[&_[role=gridcell]]:bg-hover'

function wanted(firstSlot: Slot, day: string): Slot {
  return `${day}${firstSlot.slice(10)}`
}
