import { useSyncExternalStore } from 'react'

let isOut = false
const listeners = new Set<() => void>()

/** Called when the server says that the session has ended, and with `false` after the person signed in again. */
export function noteSignedOut(next = true): void {
  isOut = next
  for (const listener of listeners) listener()
}

/** Whether the session ended while the page was open. */
export function useSignedOut(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isOut,
  )
}
