import type { events } from '../events.ts'
import type { ExamplesOf } from './case.ts'
import { completedPost, ids, statusViewOf } from './posts.ts'

export const eventLogExamples: ExamplesOf<typeof events> = {
  list: [
    {
      returns: {
        data: [
          {
            id: '1794816001003120',
            event: 'upload.completed',
            timestamp: '2026-11-16T08:00:01.003Z',
            workspaceId: ids.workspace,
            data: { ...statusViewOf(completedPost), scheduledAt: completedPost.scheduledAt },
          },
        ],
        nextCursor: null,
      },
    },
  ],
}
