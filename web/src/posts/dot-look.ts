import { shownEntryStatus, type EntryOutcome } from './shown-entry-status.ts'

/** The colour of a post in a month whose days are too small for more than dots: that of its badge elsewhere. */
export function dotLook(entry: EntryOutcome): string {
  const shown = shownEntryStatus(entry)
  if (shown === 'failed') return 'bg-rust'
  if (shown === 'partial_failure' || shown === 'returned') return 'bg-straw'
  if (shown === 'unconfirmed') return 'bg-plum'
  return shown === 'completed' ? 'bg-verdigris' : shown === 'draft' ? 'bg-edge' : 'bg-dusk'
}
