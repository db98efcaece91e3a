import type { connectLinks } from '../connecting/connect-links.ts'
import type { developerApps } from '../connecting/developer-apps.ts'
import type { ExamplesOf } from './case.ts'
import { ids } from './posts.ts'

const link = {
  id: '6737c0119b1e8a0012ab3700',
  platforms: ['instagram' as const, 'threads' as const],
  connectionId: null,
  isReconnect: false,
  returnUrl: 'https://app.example.com/social/done?customer=4711',
  state: 'open' as const,
  createdBy: { userId: '6735f0a29b1e8a0012ab3402', name: 'Ada' },
  apiKeyId: '019331a0-11f2-7c3e-8b1d-5a0c4f2e9d10',
  createdAt: '2026-11-14T10:20:00.512Z',
  expiresAt: '2026-11-21T10:20:00.512Z',
  usedAt: null,
  externalId: 'customer-4711',
}

export const connectLinkExamples: ExamplesOf<typeof connectLinks> = {
  list: [
    {
      returns: [{ ...link, state: 'used', connectionId: ids.x, usedAt: '2026-11-14T11:02:31.004Z' }],
    },
  ],
  create: [
    {
      body: { platforms: ['instagram', 'threads'], returnUrl: link.returnUrl, externalId: link.externalId },
      returns: {
        ...link,
        url: 'https://posts.example.org/integrations/link?token=9m3vQ2sYq0a7C1kq5w8Zr4tXbN6uPfLhE2dGjKoRiVc',
        returnSecret: 'clr_Hn2o8dQe5tWmYq1uK7pRzXcVb4aSfGhJ0lPiUyTrEwQ',
      },
    },
  ],
  revoke: [{ returns: null }],
}

const developerApp = {
  platform: 'x' as const,
  clientId: 'YkNwQ2hvcnVzLWJlbGxzOjE6Y2k',
  enteredAt: '2026-11-14T10:20:00.512Z',
  redirectUri: 'https://posts.example.org/integrations/x/callback',
  portalUrl: 'https://console.x.com',
  accounts: 2,
}

export const developerAppExamples: ExamplesOf<typeof developerApps> = {
  list: [{ returns: [developerApp] }],
  save: [
    {
      body: { platform: 'x', clientId: developerApp.clientId, clientSecret: 'q7Zr4tXbN6uPfLhE2dGjKoRiVc9m3vQ2sYq0a7C1kq5w8' },
      returns: { ...developerApp, accounts: 0 },
    },
  ],
  remove: [{ returns: null }],
}
