import type { queues } from '../queues.ts'
import type { ExamplesOf } from './case.ts'
import { ids } from './posts.ts'

const queue = {
  id: '6739c4e09b1e8a0012ab3610',
  name: 'Main',
  timezone: null,
  slots: [
    { day: 'tuesday' as const, time: '09:00' },
    { day: 'thursday' as const, time: '17:30', connections: ['bluesky-thetower'] },
  ],
  createdAt: '2026-11-14T10:20:00.512Z',
  updatedAt: '2026-11-14T10:20:00.512Z',
}
const { name, slots } = queue

export const queueExamples: ExamplesOf<typeof queues> = {
  list: [{ returns: [queue] }],
  create: [{ body: { name, slots }, returns: queue }],
  get: [{ returns: queue }],
  update: [{ body: { timezone: 'Europe/Berlin' }, returns: { ...queue, timezone: 'Europe/Berlin' } }],
  remove: [{ returns: null }],
  slots: [
    {
      returns: {
        timezone: 'Europe/Berlin',
        slots: [
          { at: '2026-11-17T08:00:00.000Z', wall: '2026-11-17T09:00:00', free: false, uploadId: ids.post },
          { at: '2026-11-19T16:30:00.000Z', wall: '2026-11-19T17:30:00', free: true, uploadId: null },
        ],
      },
    },
  ],
  reflow: [
    {
      returns: { moved: [{ uploadId: ids.post, from: '2026-11-19T16:30:00.000Z', to: '2026-11-17T08:00:00.000Z' }] },
    },
  ],
}
