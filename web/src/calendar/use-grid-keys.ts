import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import { addMonths } from '../time/zoned-day.ts'
import { useCalendarActions } from './calendar-actions.ts'
import { canMove, type ShownEntry, type Slot } from './shown-entry.ts'

type GridKeys = {
  grid: RefObject<HTMLElement | null>
  days: readonly string[]
  entries: readonly ShownEntry[]
  neighbour: (slot: Slot, step: { across: number; down: number }) => Slot
  onSlot: (slot: Slot) => void
  onDay: (day: string) => void
}

/** Left and right change the day; up and down go through the posts of a cell, then to the next cell. */
export function useGridKeys({ grid, days, entries, neighbour, onSlot, onDay }: GridKeys) {
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
