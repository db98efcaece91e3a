import type { imports } from '../exchange/imports.ts'
import type { ExamplesOf } from './case.ts'

const summary = {
  id: '6739c4e09b1e8a0012ab3730',
  name: 'autumn.csv',
  format: 'csv' as const,
  createdAt: '2026-11-14T10:20:00.512Z',
  counts: { waiting: 0, ready: 1, created: 0, exists: 0, skipped: 0, refused: 0 },
}
const row = {
  row: 1,
  key: 'csv:autumn-1',
  status: 'ready' as const,
  placement: 'draft' as const,
  excerpt: 'The bells ring again.',
  accounts: ['x-thetower'],
  scheduledAt: '2026-12-01T09:00:00Z',
  medias: 0,
  postId: null,
  code: null,
  message: null,
  details: [],
}
const checked = { ...summary, accounts: [{ account: 'x-thetower', connection: 'x-thetower', rows: 1 }], rows: [row], next: null }
const made = { ...checked, counts: { ...summary.counts, ready: 0, created: 1 } }
const content = 'id,connections,text,scheduledAt\nautumn-1,x-thetower,The bells ring again.,2026-12-01T09:00:00Z\n'

export const importExamples: ExamplesOf<typeof imports> = {
  create: [{ body: { format: 'csv', name: 'autumn.csv', content }, returns: checked }],
  run: [
    {
      body: { dryRun: false, placement: 'scheduled', oldQueueStopped: true },
      returns: {
        ...made,
        rows: [{ ...row, status: 'created', placement: 'scheduled', postId: '6739c4e09b1e8a0012ab3401' }],
      },
    },
  ],
  list: [{ returns: [summary] }],
  get: [{ returns: checked }],
  remove: [{ returns: null }],
}
