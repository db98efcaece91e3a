import type { AccountWebhook, accountWebhooks } from '../account/account-webhooks.ts'
import type { ExamplesOf } from './case.ts'
import { pendingTest } from './webhooks.ts'

const withMaskedSecret: AccountWebhook = {
  id: '6737b0119b1e8a0012ab3611',
  url: 'https://example.com/hooks/carillon',
  events: ['upload.completed', 'upload.partial_failure', 'upload.failed'],
  secret: 'whsec_…Tr4k',
  active: true,
  disabledReason: null,
  retries: 'day',
  workspaces: 41,
  shutOut: [{ workspaceId: '6735f0c29b1e8a0012ab34cd', name: 'Bell Tower Coffee' }],
  createdAt: '2026-11-15T19:40:00.000Z',
  updatedAt: '2026-11-15T19:40:00.000Z',
}

const withSecret: AccountWebhook = { ...withMaskedSecret, secret: 'whsec_hP2sVd8LqKf0mZxYb7NcRt5WgJ1uEaOi3yBvTr4k' }

export const accountWebhookExamples: ExamplesOf<typeof accountWebhooks> = {
  create: [{ body: { url: withMaskedSecret.url, events: withMaskedSecret.events, retries: 'day' }, returns: withSecret }],
  list: [{ returns: [withMaskedSecret] }],
  get: [{ returns: withMaskedSecret }],
  update: [{ body: { active: false }, returns: { ...withMaskedSecret, active: false } }],
  remove: [{ returns: null }],
  rotateSecret: [{ returns: { ...withSecret, secret: 'whsec_u6QwEr9TyUi2OpAs4DfGh7JkLz0XcVbN1mQaWs3E' } }],
  test: [{ body: { workspaceId: '6735f0c29b1e8a0012ab34cd' }, returns: pendingTest }],
}
