import type { integrations } from '../connecting/integrations.ts'
import type { ExamplesOf } from './case.ts'
import { bluesky } from './workspaces.ts'

export const integrationExamples: ExamplesOf<typeof integrations> = {
  start: [
    {
      body: { instanceUrl: 'mastodon.social', returnTo: '/integrations' },
      returns: {
        authorizeUrl: 'https://mastodon.social/oauth/authorize?client_id=…&state=…',
        expiresAt: '2026-11-15T20:55:04.000Z',
      },
    },
  ],
  password: [
    {
      body: { fields: { identifier: 'tower.example', password: 'abcd-efgh-ijkl-mnop' } },
      returns: { ...bluesky, scheduledChannels: 0 },
    },
  ],
}
