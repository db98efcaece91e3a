import { expect, test } from 'vitest'
import { type Position, type Witness, compareWitness } from './witness.ts'

const witness: Witness = { systemId: '77', timeline: 3, lsn: '1/A0', epoch: 2, beat: 50, at: '2026-11-15T12:00:00.000Z' }
const later: Position = { systemId: '77', timeline: 3, lsn: '1/B0', epoch: 2, beat: 51 }

// Guarantee: a database that lacks something the witness has seen is recognised, whatever kind of restore it was, and no other.
test.each<[string, Partial<Position>, string]>([
  ['the same database, later', {}, 'unchanged'],
  ['the same database, unchanged since', { lsn: '1/A0', beat: 50 }, 'unchanged'],
  ['a position that is later, though its text sorts lower', { lsn: '10/0' }, 'unchanged'],
  ['failover to a standby that has everything', { timeline: 4 }, 'failover'],
  ['failover to a standby at exactly the position', { timeline: 4, lsn: '1/A0', beat: 50 }, 'failover'],
  ['accepted by an operator after a restore', { epoch: 3, systemId: '78', timeline: 1, lsn: '0/1', beat: 1 }, 'accepted'],
  ['a copy of the folder put back', { lsn: '1/90', beat: 40 }, 'lost'],
  ['a position that is lower, though its text sorts higher', { lsn: '0/FFFFFFFF' }, 'lost'],
  ['a point-in-time restore', { timeline: 4, lsn: '1/90', beat: 40 }, 'lost'],
  ['a restore that has been written to beyond the old position', { timeline: 4, lsn: '2/0', beat: 40 }, 'lost'],
  ['a dump loaded into a new cluster', { systemId: '78', timeline: 1, lsn: '9/0', beat: 50 }, 'lost'],
  ['the old primary after a failover', { timeline: 2, lsn: '1/C0', beat: 51 }, 'lost'],
  ['a backup from before an earlier restore', { epoch: 1, lsn: '9/0', beat: 90 }, 'lost'],
])('%s', (_name, change, expected) => {
  const verdict = compareWitness({ ...later, ...change }, witness)
  expect(verdict.isLost ? 'lost' : verdict.kind).toBe(expected)
})

test('the reason names when the witness last saw the database', () => {
  expect(compareWitness({ ...later, lsn: '1/90' }, witness)).toEqual({
    isLost: true,
    reason: 'the database is at position 1/90, the witness at the later position 1/A0, last seen at 2026-11-15T12:00:00.000Z',
  })
})
