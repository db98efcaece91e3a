import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { useEffect, type RefObject } from 'react'
import { useCalendarActions } from './calendar-actions.ts'
import { wallInSlot, type ShownEntry } from './shown-entry.ts'

/** One drop target for the whole grid: the cell is looked up under the pointer, which costs less than one target per cell. */
export function useDrops(grid: RefObject<HTMLElement | null>): void {
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
