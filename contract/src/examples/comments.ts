import type { comments } from '../approval/comments.ts'
import type { ExamplesOf } from './case.ts'

const comment = {
  id: '6739c4e09b1e8a0012ab3810',
  text: '@Grace does the tower open at nine?',
  audience: 'members' as const,
  by: { userId: 'WxTq3vN0c5Jm8yKfZ2pLrA1sDhUeB7gO', name: 'Lea', apiKeyId: null },
  client: null,
  mentions: [{ userId: 'pLrA1sDhUeB7gOWxTq3vN0c5Jm8yKfZ2', name: 'Grace' }],
  createdAt: '2026-11-14T10:20:00.512Z',
  editedAt: null,
}
const changed = { ...comment, text: 'Does the tower open at ten?', mentions: [], editedAt: '2026-11-14T10:25:00.512Z' }
const fromClient = {
  ...comment,
  id: '6739c4e09b1e8a0012ab3811',
  text: 'It opens at ten.',
  audience: 'client' as const,
  by: null,
  client: { name: 'Ada', linkId: '6739c4e09b1e8a0012ab3801' },
  mentions: [],
}

export const commentExamples: ExamplesOf<typeof comments> = {
  list: [{ returns: [comment, fromClient] }],
  create: [{ body: { text: comment.text, mentions: ['pLrA1sDhUeB7gOWxTq3vN0c5Jm8yKfZ2'] }, returns: comment }],
  update: [{ body: { text: changed.text, mentions: [] }, returns: changed }],
  remove: [{ returns: null }],
}
