import { expect, test } from 'vitest'
import { type EntryOutcome, dotLook, shownEntryStatus } from './shown-status.ts'

const entry = (more: Partial<EntryOutcome>): EntryOutcome => ({
  status: 'draft',
  failed: 0,
  unconfirmed: 0,
  approval: 'none',
  ...more,
})

test.each<[Partial<EntryOutcome>, string, string]>([
  [{ status: 'failed', failed: 1, unconfirmed: 1 }, 'unconfirmed', 'bg-plum'],
  [{ status: 'partial_failure', failed: 1, unconfirmed: 1 }, 'unconfirmed', 'bg-plum'],
  [{ status: 'partial_failure', failed: 2, unconfirmed: 1 }, 'partial_failure', 'bg-straw'],
  [{ status: 'failed', failed: 2 }, 'failed', 'bg-rust'],
  [{ status: 'draft', approval: 'pending' }, 'waiting', 'bg-dusk'],
  [{ status: 'draft', approval: 'changes_requested' }, 'returned', 'bg-straw'],
  [{ status: 'scheduled', approval: 'approved' }, 'scheduled', 'bg-dusk'],
  [{ status: 'draft' }, 'draft', 'bg-edge'],
  [{ status: 'completed' }, 'completed', 'bg-verdigris'],
])('guarantee: an entry of the calendar with %j is shown as %s, as on its own page', (outcome, shown, look) => {
  expect([shownEntryStatus(entry(outcome)), dotLook(entry(outcome))]).toEqual([shown, look])
})
