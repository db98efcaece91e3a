import type { Target } from './set-up-workspaces.ts'

/**
 * `draft`: not to be sent. `expected`: to be sent once on each target. `deleted`: deleted before its time, must not be sent.
 * `removed`: deleted after its time, so it may have been sent. `unknown`: a request about it was not answered.
 */
type EntryState = 'draft' | 'expected' | 'deleted' | 'removed' | 'unknown'

export type Entry = {
  workspaceId: string
  /** Null until the service has stored the post. */
  id: string | null
  text: string
  targets: readonly Target[]
  /** Null for a post that is sent at once. */
  dueAtMs: number | null
  state: EntryState
}

/** What the load has asked the service for: the record that the platforms' own records are compared with. */
export function createLedger() {
  const entries: Entry[] = []
  return {
    entries,
    add(entry: Entry): Entry {
      entries.push(entry)
      return entry
    },
    /** How many posts the service must still have. */
    kept: () => entries.filter(({ id, state }) => id !== null && state !== 'deleted' && state !== 'removed').length,
  }
}

export type Ledger = ReturnType<typeof createLedger>
