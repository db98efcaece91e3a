import type { reports } from '../exchange/reports.ts'
import type { ExamplesOf } from './case.ts'

const report = {
  id: '6739c4e09b1e8a0012ab3990',
  title: 'Spring at the tower',
  from: '2026-10-01',
  to: '2026-10-31',
  label: '6739c4e09b1e8a0012ab3701',
  connections: null,
  language: 'en' as const,
  link: 'https://posts.example.org/report/9m3vQ2sYq0a7C1kq5w8Zr4tXbN6uPfLhE2dGjKoRiVc',
  createdBy: { userId: 'WxTq3vN0c5Jm8yKfZ2pLrA1sDhUeB7gO', name: 'Lea', apiKeyId: null },
  createdAt: '2026-11-14T10:20:00.512Z',
  expiresAt: '2027-02-12T10:20:00.512Z',
}
const { title, from, to, label } = report

export const reportExamples: ExamplesOf<typeof reports> = {
  list: [{ returns: [report] }],
  create: [{ body: { title, from, to, label }, returns: report }],
  remove: [{ returns: null }],
}
