import type { approvalLinks } from '../approval/approval-links.ts'
import type { ExamplesOf } from './case.ts'

const uploadId = '6739c4e09b1e8a0012ab34cd'
const link = {
  id: '6739c4e09b1e8a0012ab3801',
  posts: [{ uploadId, revision: '5f0c2a8f6f4d4bd5a3c1f7f5f0a2b1c3d4e5f60718293a4b5c6d7e8f90a1b2c3' }],
  name: 'Ada',
  email: 'ada@example.com',
  mailed: true,
  decides: true,
  createdBy: { userId: 'WxTq3vN0c5Jm8yKfZ2pLrA1sDhUeB7gO', name: 'Lea', apiKeyId: null },
  createdAt: '2026-11-14T10:20:00.512Z',
  expiresAt: '2026-11-28T10:20:00.512Z',
  revokedAt: null,
}

export const approvalLinkExamples: ExamplesOf<typeof approvalLinks> = {
  list: [{ returns: [link] }],
  create: [
    {
      body: { posts: [uploadId], name: 'Ada', email: 'ada@example.com' },
      returns: { ...link, url: 'https://posts.example.org/approve/9m3vQ2sYq0a7C1kq5w8Zr4tXbN6uPfLhE2dGjKoRiVc' },
    },
  ],
  remove: [{ returns: null }],
}
