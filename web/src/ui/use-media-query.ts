import { useSyncExternalStore } from 'react'

/** Whether a media query such as `(width < 48rem)` is true now. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    // Where a page is rendered without a window.
    () => false,
  )
}
