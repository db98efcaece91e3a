import type { PostChange } from '@carillon/sdk'
import type { ComposeState } from '../state/compose-state.ts'

/**
 * What this browser knows about a draft: everything that was typed, and how far the server has it. It is written with every key, so that a
 * reload, a crash or an ended session loses nothing.
 */
export type LocalCopy = {
  id: string
  workspaceId: string
  state: ComposeState
  /** The post is scheduled: it is changed only when the person says so, never while they write. */
  isScheduled?: boolean
  /** The draft on the server; null until the first save. */
  postId: string | null
  /** The version of the draft that this copy continues. */
  updatedAt: string | null
  savedRevision: number
  /** What was sent last and may not be answered yet: a page can end after the server has stored it. */
  sent: PostChange | null
  /** Keys of requests that must not have an effect twice, also if the page is reloaded before they are answered. */
  createKey: string
  publishKey: string | null
  writtenAt: string
}

const prefix = 'carillon.compose.'

export function storeLocalCopy(copy: LocalCopy): void {
  try {
    localStorage.setItem(prefix + copy.id, JSON.stringify(copy))
  } catch {
    // The storage is full or switched off: the draft on the server is still saved after a second.
  }
}

export function dropLocalCopy(id: string): void {
  localStorage.removeItem(prefix + id)
}

/** The copies of a workspace, the newest first. */
export function listLocalCopies(workspaceId: string): LocalCopy[] {
  const copies = Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(prefix)) return []
    const copy = readCopy(localStorage.getItem(key))
    return copy?.workspaceId === workspaceId ? [copy] : []
  })
  return copies.toSorted((a, b) => b.writtenAt.localeCompare(a.writtenAt))
}

function readCopy(text: string | null): LocalCopy | null {
  try {
    const copy = JSON.parse(text ?? 'null') as LocalCopy | null
    return copy && typeof copy.id === 'string' && Array.isArray(copy.state?.files) ? copy : null
  } catch {
    return null
  }
}

export function hasUnsaved({ state, savedRevision }: LocalCopy): boolean {
  return state.revision > savedRevision
}

const claimed = new Set<string>()

/**
 * Claims a draft for this tab until the page is closed. Returns false if another tab of this browser has it: its copy must not be taken
 * over while somebody is writing there.
 */
export function claimCopy(id: string): Promise<boolean> {
  // Without HTTPS a browser has no locks.
  if (!('locks' in navigator) || claimed.has(id)) return Promise.resolve(true)
  return new Promise((resolve) => {
    void navigator.locks.request(`${prefix}${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      if (lock === null) return undefined
      claimed.add(id)
      // The lock is held as long as this promise is open: until the page is closed.
      return new Promise<void>(() => {})
    })
  })
}

/** A random key. `crypto.randomUUID` exists only under HTTPS, and an install may be reached without it. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
