import type { CalendarEntry } from '@carillon/sdk'
import type { ShownStatus } from './shown-status.ts'

export type EntryOutcome = Pick<CalendarEntry, 'status' | 'failed' | 'unconfirmed' | 'approval'>

/** `shownStatus` for an entry of the calendar, which has counts in place of its channels. */
export function shownEntryStatus({ status, failed, unconfirmed, approval }: EntryOutcome): ShownStatus {
  if (status === 'draft' && approval === 'pending') return 'waiting'
  if (status === 'draft' && approval === 'changes_requested') return 'returned'
  const isFailure = status === 'failed' || status === 'partial_failure'
  return isFailure && unconfirmed > 0 && unconfirmed === failed ? 'unconfirmed' : status
}
