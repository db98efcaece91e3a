import { useSyncExternalStore } from 'react'

export type NewToast = {
  title: string
  description?: string
  /** `failed` stays until it is closed. */
  kind?: 'done' | 'failed'
  action?: { label: string; run: () => void }
  /** It tells of something that is under way, and stays until it is updated with the outcome; at most this long. */
  waitsMs?: number
}

/** Shows a toast and returns a function that gives it another content. One that was closed in the meantime stays closed. */
type Deliver = (toast: NewToast) => (next: NewToast) => void

type Entry = { toast: NewToast; update: ((next: NewToast) => void) | null }

let deliver: Deliver | null = null
let isWanted = false
const waiting: Entry[] = []
const listeners = new Set<() => void>()

/**
 * Says what happened, at the lower edge of the page. With an action, such as "Undo", the person has eight seconds. Returns a function that
 * replaces what it says. The region for toasts is loaded with the first one, which waits until then.
 */
export function showToast(toast: NewToast): (next: NewToast) => void {
  const entry: Entry = { toast, update: null }
  waiting.push(entry)
  isWanted = true
  for (const listener of listeners) listener()
  flush()
  return (next) => {
    entry.toast = next
    entry.update?.(next)
  }
}

/** The region calls this when it is there, and with null when it goes. */
export function connectToasts(next: Deliver | null): void {
  deliver = next
  flush()
}

export function useToastsWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isWanted,
  )
}

function flush(): void {
  if (!deliver) return
  for (const entry of waiting.splice(0)) entry.update = deliver(entry.toast)
}
