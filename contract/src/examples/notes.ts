import type { notes } from '../planning/notes.ts'
import type { ExamplesOf } from './case.ts'

const note = {
  id: '6739c4e09b1e8a0012ab3720',
  startsOn: '2027-06-21',
  endsOn: '2027-06-22',
  text: 'The organ is being tuned: no pictures from inside.',
  color: 'yellow' as const,
  createdBy: { userId: 'WxTq3vN0c5Jm8yKfZ2pLrA1sDhUeB7gO', name: 'Lea' },
  createdAt: '2026-11-14T10:20:00.512Z',
  updatedAt: '2026-11-14T10:20:00.512Z',
}
const { startsOn, endsOn, text } = note

export const noteExamples: ExamplesOf<typeof notes> = {
  list: [{ returns: [note] }],
  create: [{ body: { startsOn, endsOn, text }, returns: note }],
  update: [{ body: { color: 'red' }, returns: { ...note, color: 'red' } }],
  remove: [{ returns: null }],
}
