import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { useEffect, useRef, useState } from 'react'
import { useCompose } from '../compose-context.ts'

/** Where a dragged file would be inserted: before or after the row under the pointer. */
type Side = 'before' | 'after'

/** A row of the list of files: it is dragged by its grip, and others are dropped on it. The arrow buttons do the same for keys and touch. */
export function useFileDrag({ key, index, isMovable }: { key: string; index: number; isMovable: boolean }) {
  const { dispatch } = useCompose()
  const row = useRef<HTMLLIElement>(null)
  const grip = useRef<HTMLSpanElement>(null)
  const [side, setSide] = useState<Side | null>(null)
  useEffect(() => {
    const [element, handle] = [row.current, grip.current]
    if (!element || !handle || !isMovable) return
    const sideAt = (clientY: number): Side => {
      const { top, height } = element.getBoundingClientRect()
      return clientY < top + height / 2 ? 'before' : 'after'
    }
    return combine(
      draggable({
        element,
        // The whole row would take the text of its fields away from the pointer.
        dragHandle: handle,
        getInitialData: () => ({ postFile: key, index }),
        onDragStart: () => element.setAttribute('data-dragged', ''),
        onDrop: () => element.removeAttribute('data-dragged'),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => 'postFile' in source.data && source.data['postFile'] !== key,
        onDrag: ({ location }) => setSide(sideAt(location.current.input.clientY)),
        onDragLeave: () => setSide(null),
        onDrop: ({ source, location }) => {
          setSide(null)
          const from = Number(source.data['index'])
          const before = sideAt(location.current.input.clientY) === 'before' ? index : index + 1
          const to = from < before ? before - 1 : before
          dispatch({ type: 'moveFile', key: String(source.data['postFile']), by: to - from })
        },
      }),
    )
  }, [key, index, isMovable, dispatch])
  return { row, grip, side }
}
