import type { grants } from '../account/grants.ts'
import type { ExamplesOf } from './case.ts'

export const grantExamples: ExamplesOf<typeof grants> = {
  list: [
    {
      returns: [
        {
          id: '019331d8-2c10-7a55-9c3e-0b6f2d1a7e51',
          client: { name: 'Claude', host: 'claude.ai' },
          rights: 'draft',
          scopes: ['content:read', 'media:read', 'analytics:read', 'workspaces:read', 'content:draft', 'media:write'],
          user: { userId: '6739c4e09b1e8a0012ab34c1', name: 'Ada', email: 'ada@example.org' },
          createdAt: '2026-11-14T10:20:00.512Z',
          lastUsedAt: '2026-11-15T08:01:12.000Z',
          until: '2026-12-15T08:01:12.000Z',
        },
      ],
    },
  ],
  end: [{ returns: null }],
}
