import type { series } from '../planning/series.ts'
import type { ExamplesOf } from './case.ts'
import { ids } from './posts.ts'

const shown = {
  id: '6739c4e09b1e8a0012ab3a10',
  name: 'Monday bells',
  every: 1,
  unit: 'week' as const,
  on: ['monday' as const],
  time: '09:00',
  timezone: 'Europe/Berlin',
  from: '2026-11-16',
  count: 52,
  content: { type: 'text' as const, connections: ['bluesky-tower.example'] },
  variants: [{ text: 'The bells ring at nine.' }, { text: 'It is Monday: the tower is open.' }],
  state: 'active' as const,
  approval: 'none' as const,
  revision: null,
  next: '2026-11-16T08:00:00.000Z',
  occurrences: [
    {
      date: '2026-11-16',
      at: '2026-11-16T08:00:00.000Z',
      state: 'made' as const,
      uploadId: ids.post,
      edited: false,
      error: null,
    },
    {
      date: '2026-11-23',
      at: '2026-11-23T08:00:00.000Z',
      state: 'refused' as const,
      uploadId: null,
      error: {
        code: 'connection_needs_reconnect',
        message: 'bluesky-tower.example must be connected again: its permission has ended.',
      },
    },
    { date: '2026-11-30', at: '2026-11-30T08:00:00.000Z', state: 'scheduled' as const, uploadId: null, error: null },
  ],
  createdAt: '2026-11-14T10:20:00.512Z',
  updatedAt: '2026-11-14T10:20:00.512Z',
}
const { name, every, unit, on, time, timezone, from, count, content, variants } = shown
const rule = { every, unit, on, time, timezone, from }

export const seriesExamples: ExamplesOf<typeof series> = {
  list: [{ returns: [shown] }],
  create: [{ body: { name, ...rule, count, content, variants }, returns: shown }],
  preview: [
    {
      body: { ...rule, count: 2 },
      returns: {
        dates: [
          { date: '2026-11-16', wall: '2026-11-16T09:00:00', at: '2026-11-16T08:00:00.000Z' },
          { date: '2026-11-23', wall: '2026-11-23T09:00:00', at: '2026-11-23T08:00:00.000Z' },
        ],
        total: 2,
      },
    },
  ],
  get: [{ returns: shown }],
  update: [{ body: { state: 'paused' }, returns: { ...shown, state: 'paused', next: null } }],
  skip: [{ body: { date: '2026-11-30' }, returns: shown }],
  approve: [
    {
      body: { revision: 'b1946ac92492d2347c6235b4d2611184ac6f35b3f6c1c0fcd0a3a0c2b4f8f0a1' },
      returns: { ...shown, approval: 'approved', revision: 'b1946ac92492d2347c6235b4d2611184ac6f35b3f6c1c0fcd0a3a0c2b4f8f0a1' },
    },
  ],
  remove: [{ returns: null }],
}
