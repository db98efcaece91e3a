import { useEffect, useRef, type RefObject } from 'react'

/** When an item of a list is removed together with the focus, the focus goes to `place` and not to the beginning of the page. */
export function useFocusAfterRemoval(count: number, place: RefObject<HTMLElement | null>): void {
  const before = useRef(count)
  useEffect(() => {
    const wasRemoved = count < before.current
    before.current = count
    if (!wasRemoved) return
    // A dialog that closes at the same time gives the focus back first.
    const frame = requestAnimationFrame(() => {
      const { activeElement, body } = document
      if (activeElement === null || activeElement === body) place.current?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [count, place])
}
