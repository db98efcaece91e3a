import { useSyncExternalStore } from 'react'

export type NewToast = {
  title: string
  description?: string
  /** `failed` is read out at once and stays until it is closed. */
  kind?: 'done' | 'failed'
  action?: { label: string; run: () => void }
}

/** Shows a toast and returns a function that closes it. */
type Deliver = (toast: NewToast) => () => void

type Entry = { toast: NewToast; isClosed: boolean; close: () => void }

let deliver: Deliver | null = null
let isWanted = false
const waiting: Entry[] = []
const listeners = new Set<() => void>()

/**
 * Says what happened, below the page. With an action, such as "Undo", the person has eight seconds. Returns a function that closes it. The
 * region for toasts is loaded with the first one, which waits until then.
 */
export function showToast(toast: NewToast): () => void {
  const entry: Entry = { toast, isClosed: false, close() {} }
  waiting.push(entry)
  isWanted = true
  for (const listener of listeners) listener()
  flush()
  return () => {
    entry.isClosed = true
    entry.close()
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
  for (const entry of waiting.splice(0)) if (!entry.isClosed) entry.close = deliver(entry.toast)
}
