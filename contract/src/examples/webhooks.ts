import type { Delivery, Webhook, webhooks } from '../webhooks.ts'
import type { ExamplesOf } from './case.ts'

export const deliveryId = '019331c9-1f40-7b1e-a3d1-2b8f6a1c0d22'

const withMaskedSecret: Webhook = {
  id: '6737b0119b1e8a0012ab3600',
  url: 'https://example.com/hooks/carillon',
  events: ['upload.completed', 'upload.partial_failure', 'upload.failed'],
  secret: 'whsec_…x9Qw',
  active: true,
  disabledReason: null,
  createdAt: '2026-11-15T19:40:00.000Z',
  updatedAt: '2026-11-15T19:40:00.000Z',
}

const withSecret: Webhook = { ...withMaskedSecret, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfFx9Qw' }

const delivered: Delivery = {
  id: deliveryId,
  event: 'upload.completed',
  url: withMaskedSecret.url,
  status: 'delivered',
  statusCode: 204,
  attempts: 1,
  requestBody: '{"event":"upload.completed","deliveryId":"019331c9-1f40-7b1e-a3d1-2b8f6a1c0d22"}',
  durationMs: 84,
  responseBody: '',
  deliveredAt: '2026-11-16T08:00:01.280Z',
  nextAttemptAt: null,
  createdAt: '2026-11-16T08:00:01.003Z',
}

const pending: Delivery = {
  ...delivered,
  status: 'pending',
  statusCode: 0,
  attempts: 0,
  durationMs: null,
  deliveredAt: null,
  nextAttemptAt: delivered.createdAt,
}

export const pendingTest: Delivery = { ...pending, event: 'webhook.test' }

export const webhookExamples: ExamplesOf<typeof webhooks> = {
  create: [{ body: { url: withMaskedSecret.url, events: withMaskedSecret.events }, returns: withSecret }],
  list: [{ returns: [withMaskedSecret] }],
  get: [{ returns: withMaskedSecret }],
  update: [{ body: { active: false }, returns: { ...withMaskedSecret, active: false } }],
  remove: [{ returns: null }],
  deliveries: [{ returns: [delivered] }],
  test: [{ returns: pendingTest }],
  redeliver: [{ returns: { ...pending, attempts: 1 } }],
  redeliverFailed: [{ body: { since: '2026-11-16T06:00:00.000Z' }, returns: { redelivered: 12 } }],
  rotateSecret: [{ returns: { ...withSecret, secret: 'whsec_p7Ls0Yq2mZr8VtXw1NbKd3FhJg6Cs9EuRiOaTyQe' } }],
}
