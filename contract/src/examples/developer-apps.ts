import type { developerApps } from '../connecting/developer-apps.ts'
import type { ExamplesOf } from './case.ts'

const app = {
  platform: 'x' as const,
  clientId: 'YkNwQ2hvcnVzLWJlbGxzOjE6Y2k',
  enteredAt: '2026-11-14T10:20:00.512Z',
  redirectUri: 'https://posts.example.org/integrations/x/callback',
  portalUrl: 'https://console.x.com',
  accounts: 2,
}

export const developerAppExamples: ExamplesOf<typeof developerApps> = {
  list: [{ returns: [app] }],
  save: [
    {
      body: { platform: 'x', clientId: app.clientId, clientSecret: 'q7Zr4tXbN6uPfLhE2dGjKoRiVc9m3vQ2sYq0a7C1kq5w8' },
      returns: { ...app, accounts: 0 },
    },
  ],
  remove: [{ returns: null }],
}
