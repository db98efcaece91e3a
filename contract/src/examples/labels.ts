import type { labels } from '../planning/labels.ts'
import type { ExamplesOf } from './case.ts'

const campaign = {
  id: '6739c4e09b1e8a0012ab3710',
  name: 'Summer concerts',
  color: 'teal' as const,
  kind: 'campaign' as const,
  startsOn: '2027-06-01',
  endsOn: '2027-08-31',
  createdAt: '2026-11-14T10:20:00.512Z',
  updatedAt: '2026-11-14T10:20:00.512Z',
}
const { name, color, kind, startsOn, endsOn } = campaign

export const labelExamples: ExamplesOf<typeof labels> = {
  list: [{ returns: [campaign] }],
  create: [{ body: { name, color, kind, startsOn, endsOn }, returns: campaign }],
  update: [{ body: { color: 'pink' }, returns: { ...campaign, color: 'pink' } }],
  remove: [{ returns: { posts: 12 } }],
}
