import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { webhookFormats } from './platforms.ts'
import { eventNames } from './webhook-event.ts'
import { StrictObject, IdParam, Nullable, ObjectId, Timestamp, Uuid } from './primitives.ts'

/** Also of the webhooks of an account. */
export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  examples: ['https://example.com/hooks/carillon'],
  description: 'The URL that events are sent to; https, and not in a private network',
})
export const WebhookEvents = Type.Array(Type.Enum([...eventNames]), {
  minItems: 1,
  uniqueItems: true,
  description: 'The events that are sent to the webhook',
})

export const WebhookRetries = Type.Enum(['short', 'day'], {
  description:
    'How long a delivery that failed is tried again. short: five times in about five minutes; day: fifteen times in about 24 hours. Default: short',
})

export const WebhookSecret = Type.String({
  minLength: 16,
  maxLength: 256,
  description: 'The signing secret. Default: a generated one',
})

const WebhookFormatField = Type.Enum([...webhookFormats], {
  description:
    'json: every event as JSON, signed, for programs. The others are the platform of a chat: a line of text for each cause, without a signature. Default: json',
})

export const Webhook = StrictObject({
  id: ObjectId,
  url: Type.String({
    description:
      'Complete for admins and owners, except of the webhook of an account. Others see the host, because the path can be a secret: `https://host/…`. That of a chat is shown to nobody',
  }),
  events: Type.Array(Type.Enum([...eventNames])),
  secret: Nullable(
    Type.String({
      description:
        'Complete in the first response that creates or rotates it, masked everywhere else. Null for a chat, which checks no signature',
    }),
  ),
  format: Type.Optional(WebhookFormatField),
  active: Type.Boolean(),
  disabledReason: Nullable(Type.String()),
  retries: Type.Optional(WebhookRetries),
  account: Type.Optional(
    StrictObject({
      userId: Type.Unsafe<string>({
        ...ObjectId,
        description:
          'Whose account the webhook belongs to. They change it at `/account/webhooks`; an owner of the workspace shuts it out with `active: false`',
      }),
      name: Type.String(),
      email: Type.String(),
      isShutOut: Type.Boolean({ description: 'Whether an owner of the workspace has shut out the webhooks of this account' }),
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Webhook = Static<typeof Webhook>

export const Delivery = StrictObject({
  id: Uuid,
  event: Type.Enum([...eventNames]),
  url: Type.String({ description: 'As in the webhook' }),
  status: Type.Enum(['pending', 'delivered', 'failed']),
  statusCode: Type.Integer(),
  attempts: Type.Integer(),
  requestBody: Type.String({ description: 'The JSON that is sent' }),
  durationMs: Nullable(Type.Integer({ description: 'How long the last attempt took; null if nothing was sent' })),
  responseBody: Type.String({
    description: 'What the receiver answered, or why nothing was sent; empty for those who do not see the address',
  }),
  deliveredAt: Nullable(Timestamp),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type Delivery = Static<typeof Delivery>

const read = { scope: 'webhooks:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const
const write = { scope: 'webhooks:write', role: 'admin', workspace: 'header', ok: 200 } as const

export const webhooks = {
  create: endpoint({
    ...write,
    id: 'webhooks.create',
    method: 'POST',
    path: '/webhooks',
    summary: 'Register an HTTPS endpoint for events',
    body: StrictObject({
      url: WebhookUrl,
      events: WebhookEvents,
      secret: Type.Optional(WebhookSecret),
      retries: Type.Optional(WebhookRetries),
      format: Type.Optional(WebhookFormatField),
    }),
    returns: Webhook,
    returnsSecret: true,
    ok: 201,
    errors: ['url_refused', 'quota_reached'],
    audit: 'webhook.create',
  }),
  list: endpoint({
    ...read,
    id: 'webhooks.list',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    returns: Type.Array(Webhook),
    errors: [],
  }),
  get: endpoint({
    ...read,
    id: 'webhooks.get',
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Get a webhook',
    params: IdParam,
    returns: Webhook,
    errors: ['webhook_not_found'],
  }),
  update: endpoint({
    ...write,
    id: 'webhooks.update',
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: 'Change a webhook',
    params: IdParam,
    body: StrictObject({
      url: Type.Optional(WebhookUrl),
      events: Type.Optional(WebhookEvents),
      active: Type.Optional(Type.Boolean()),
      retries: Type.Optional(WebhookRetries),
    }),
    returns: Webhook,
    errors: ['webhook_not_found', 'webhook_of_account', 'url_refused'],
    audit: 'webhook.update',
  }),
  remove: endpoint({
    ...write,
    id: 'webhooks.remove',
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Remove a webhook',
    params: IdParam,
    returns: Type.Null(),
    errors: ['webhook_not_found', 'webhook_of_account'],
    audit: 'webhook.delete',
  }),
  deliveries: endpoint({
    ...read,
    id: 'webhooks.deliveries',
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'List the 100 most recent deliveries',
    params: IdParam,
    returns: Type.Array(Delivery),
    errors: ['webhook_not_found'],
  }),
  test: endpoint({
    ...write,
    id: 'webhooks.test',
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Send a webhook.test event',
    params: IdParam,
    returns: Delivery,
    errors: ['webhook_not_found'],
    audit: 'webhook.test',
  }),
  redeliver: endpoint({
    ...write,
    id: 'webhooks.redeliver',
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/redeliver',
    summary: 'Send a delivery again',
    params: StrictObject({
      id: Type.String({ minLength: 1, maxLength: 64 }),
      deliveryId: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    returns: Delivery,
    errors: ['webhook_not_found', 'delivery_not_found'],
    audit: 'webhook.redeliver',
  }),
  redeliverFailed: endpoint({
    ...write,
    id: 'webhooks.redeliverFailed',
    method: 'POST',
    path: '/webhooks/:id/redeliver-failed',
    summary: 'Send all failed deliveries again, or those since a time',
    params: IdParam,
    body: StrictObject({
      since: Type.Optional(
        Type.Unsafe<string>({
          ...Timestamp,
          description: 'Only deliveries that were made from then on. Absent: all that are kept',
        }),
      ),
    }),
    isBodyOptional: true,
    returns: StrictObject({ redelivered: Type.Integer({ minimum: 0 }) }),
    errors: ['webhook_not_found'],
    audit: 'webhook.redeliver_failed',
  }),
  rotateSecret: endpoint({
    ...write,
    id: 'webhooks.rotateSecret',
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    summary: 'Create a new signing secret; deliveries are also signed with the old one for 24 hours',
    params: IdParam,
    returns: Webhook,
    returnsSecret: true,
    errors: ['webhook_not_found', 'webhook_of_account', 'webhook_without_secret'],
    audit: 'webhook.rotate_secret',
  }),
}
