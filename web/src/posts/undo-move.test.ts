import { expect, test } from 'vitest'
import { undoMove } from './undo-move.ts'

/** Guarantee: the undo of a move brings back the instant and the time zone that the post had. */

const uploadId = 'post'
const at = '2027-06-10T07:00:00Z'

test('a post in another zone than the workspace returns to its own zone', () => {
  const move = { post: { uploadId, at, timezone: 'America/New_York' }, wall: '2027-06-12T09:00', zone: 'Europe/Berlin' }
  expect(undoMove(move)).toEqual({
    post: { uploadId, at: '2027-06-12T07:00:00.000Z', timezone: 'America/New_York' },
    wall: '2027-06-10T03:00',
    zone: 'America/New_York',
    isUndo: true,
  })
})

test('a post without a zone is moved in that of the calendar', () => {
  const move = { post: { uploadId, at, timezone: null }, wall: '2027-06-12T09:00', zone: 'Europe/Berlin' }
  expect(undoMove(move)).toMatchObject({ wall: '2027-06-10T09:00', zone: 'Europe/Berlin' })
})
