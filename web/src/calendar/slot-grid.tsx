import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NotesByDay } from '../notes/use-notes.ts'
import type { TimeStyle } from '../time/format-time.ts'
import { addMonths } from '../time/zoned-day.ts'
import { useCalendarActions } from './calendar-actions.ts'
import { type ShownEntry, type Slot, canMove, wallInSlot } from './shown-entry.ts'

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

/** One drop target for the whole grid: the cell is looked up under the pointer, which costs less than one target per cell. */
function useDrops(grid: RefObject<HTMLElement | null>): void {
  const { moveTo } = useCalendarActions()
  useEffect(() => {
    if (!grid.current) return
    const element = grid.current
    let over: Element | null = null
    const mark = (cell: Element | null) => {
      if (cell === over) return
      over?.removeAttribute('data-over')
      cell?.setAttribute('data-over', '')
      over = cell
    }
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => 'entry' in source.data,
      onDrag: ({ location }) => mark(cellAt(location.current.input)),
      onDragLeave: () => mark(null),
      onDrop: ({ source, location }) => {
        mark(null)
        const slot = cellAt(location.current.input)?.getAttribute('data-slot')
        const entry = source.data['entry'] as ShownEntry
        if (!slot) return
        const wall = wallInSlot(slot, entry.wall)
        if (wall !== entry.wall) moveTo(entry, wall)
      },
    })
  }, [grid, moveTo])
}

/** Nothing is moved into the past. */
function cellAt({ clientX, clientY }: { clientX: number; clientY: number }): Element | null {
  // While something is dragged, the library keeps an element of its own under the pointer: the topmost one is not the cell.
  return document.elementsFromPoint(clientX, clientY).find((element) => element.matches('[data-slot]:not([data-past])')) ?? null
}

type GridKeys = {
  grid: RefObject<HTMLElement | null>
  days: readonly string[]
  entries: readonly ShownEntry[]
  neighbour: (slot: Slot, step: { across: number; down: number }) => Slot
  onSlot: (slot: Slot) => void
  onDay: (day: string) => void
}

/** Left and right change the day; up and down go through the posts of a cell, then to the next cell. */
function useGridKeys({ grid, days, entries, neighbour, onSlot, onDay }: GridKeys) {
  const actions = useCalendarActions()
  // The cell to focus as soon as it is shown, after a change of month.
  const awaited = useRef<Slot | null>(null)

  const focusSlot = (slot: Slot, at: 'cell' | 'last' = 'cell') => {
    onSlot(slot)
    const cell = cellOf(grid.current, slot)
    if (!cell || !days.includes(slot.slice(0, 10))) {
      awaited.current = slot
      return onDay(slot.slice(0, 10))
    }
    const target = at === 'last' ? (itemsOf(cell).at(-1) ?? cell) : cell
    target.focus()
  }

  useEffect(() => {
    const cell = awaited.current === null ? null : cellOf(grid.current, awaited.current)
    if (!cell) return
    awaited.current = null
    cell.focus()
  })

  const step = (cell: HTMLElement, key: string) => {
    const slot = cell.dataset['slot'] ?? ''
    const items = [cell, ...itemsOf(cell)]
    const at = items.findIndex((item) => item === document.activeElement)
    if (key === 'ArrowLeft' || key === 'ArrowRight')
      return focusSlot(neighbour(slot, { across: key === 'ArrowLeft' ? -1 : 1, down: 0 }))
    const next = items[at + (key === 'ArrowDown' ? 1 : -1)]
    if (next) next.focus()
    else if (key === 'ArrowDown') focusSlot(neighbour(slot, { across: 0, down: 1 }))
    else focusSlot(neighbour(slot, { across: 0, down: -1 }), 'last')
  }

  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const cell = event.target.closest<HTMLElement>('[data-slot]')
    if (!cell) return
    const slot = cell.dataset['slot'] ?? ''
    const id = event.target.closest<HTMLElement>('[data-entry]')?.dataset['entry']
    const entry = entries.find(({ uploadId }) => uploadId === id)
    const { key } = event
    if (key.startsWith('Arrow')) step(cell, key)
    else if (key === 'PageUp' || key === 'PageDown') {
      const day = addMonths(slot.slice(0, 10), key === 'PageUp' ? -1 : 1)
      focusSlot(`${day}${slot.slice(10)}`)
    } else if (key.toLowerCase() === 'n' || (key === 'Enter' && event.target === cell)) actions.write(slot)
    else if (actions.mayWrite && key.toLowerCase() === 'm' && entry && canMove(entry)) actions.askWhere(entry)
    else if (actions.mayWrite && key === 'Delete' && entry) actions.askDelete(entry)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

function cellOf(grid: HTMLElement | null, slot: Slot): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-slot="${CSS.escape(slot)}"]`) ?? null
}

function itemsOf(cell: HTMLElement): HTMLElement[] {
  return [...cell.querySelectorAll<HTMLElement>('[data-item]')]
}
