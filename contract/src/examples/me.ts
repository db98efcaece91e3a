import type { Me, me } from '../me.ts'
import type { ExamplesOf } from './case.ts'

const ringer: Me = {
  id: '6735f0c29b1e8a0012ab34c0',
  email: 'ada@tower.example',
  name: 'Ada',
  locale: 'en-GB',
  timezone: 'Europe/Berlin',
  weekStart: 'monday',
  hourCycle: null,
  theme: null,
}

export const meExamples: ExamplesOf<typeof me> = {
  get: [{ returns: ringer }],
  update: [{ body: { theme: 'dark' }, returns: { ...ringer, theme: 'dark' } }],
}
