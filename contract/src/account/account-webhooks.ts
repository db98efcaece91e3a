import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'
import { eventNames } from '../webhook-event.ts'
import { Delivery, WebhookEvents, WebhookRetries, WebhookSecret, WebhookUrl } from '../webhooks.ts'

/** A webhook that a person sets once, for all workspaces in which they are owner or admin. */
export const AccountWebhook = StrictObject({
  id: Type.Unsafe<string>({ ...ObjectId, description: 'The same in `GET /webhooks` of each workspace that it receives from' }),
  url: Type.String(),
  events: Type.Array(Type.Enum([...eventNames])),
  secret: Type.String({ description: 'Complete in the first response that creates or rotates it, masked everywhere else' }),
  active: Type.Boolean(),
  disabledReason: Nullable(Type.String()),
  retries: WebhookRetries,
  workspaces: Type.Integer({ minimum: 0, description: 'From how many workspaces it receives events' }),
  shutOut: Type.Array(StrictObject({ workspaceId: ObjectId, name: Type.String() }), {
    description: 'Workspaces in which you are owner or admin, and whose owners have shut out the webhooks of your account',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type AccountWebhook = Static<typeof AccountWebhook>

// They belong to no workspace, so they need no role there, and no entry in an audit log: what changes is in the log of the account.
const read = { scope: 'webhooks:read', role: 'viewer', workspace: 'none', ok: 200, audit: null } as const
const write = { ...read, scope: 'webhooks:write' } as const

export const accountWebhooks = {
  create: endpoint({
    ...write,
    id: 'accountWebhooks.create',
    method: 'POST',
    path: '/account/webhooks',
    summary: 'Register an HTTPS endpoint for the events of all workspaces in which you are owner or admin',
    body: StrictObject({
      url: WebhookUrl,
      events: WebhookEvents,
      secret: Type.Optional(WebhookSecret),
      retries: Type.Optional(WebhookRetries),
    }),
    returns: AccountWebhook,
    returnsSecret: true,
    ok: 201,
    errors: ['url_refused', 'quota_reached'],
  }),
  list: endpoint({
    ...read,
    id: 'accountWebhooks.list',
    method: 'GET',
    path: '/account/webhooks',
    summary: 'List the webhooks of your account',
    returns: Type.Array(AccountWebhook),
    errors: [],
  }),
  get: endpoint({
    ...read,
    id: 'accountWebhooks.get',
    method: 'GET',
    path: '/account/webhooks/:id',
    summary: 'Get a webhook of your account',
    params: IdParam,
    returns: AccountWebhook,
    errors: ['webhook_not_found'],
  }),
  update: endpoint({
    ...write,
    id: 'accountWebhooks.update',
    method: 'PATCH',
    path: '/account/webhooks/:id',
    summary: 'Change a webhook of your account, for all workspaces',
    params: IdParam,
    body: StrictObject({
      url: Type.Optional(WebhookUrl),
      events: Type.Optional(WebhookEvents),
      active: Type.Optional(Type.Boolean()),
      retries: Type.Optional(WebhookRetries),
    }),
    returns: AccountWebhook,
    errors: ['webhook_not_found', 'url_refused'],
  }),
  remove: endpoint({
    ...write,
    id: 'accountWebhooks.remove',
    method: 'DELETE',
    path: '/account/webhooks/:id',
    summary: 'Remove a webhook of your account',
    params: IdParam,
    returns: Type.Null(),
    errors: ['webhook_not_found'],
  }),
  rotateSecret: endpoint({
    ...write,
    id: 'accountWebhooks.rotateSecret',
    method: 'POST',
    path: '/account/webhooks/:id/rotate-secret',
    summary: 'Create a new signing secret; deliveries are also signed with the old one for 24 hours',
    params: IdParam,
    returns: AccountWebhook,
    returnsSecret: true,
    errors: ['webhook_not_found'],
  }),
  test: endpoint({
    ...write,
    id: 'accountWebhooks.test',
    method: 'POST',
    path: '/account/webhooks/:id/test',
    summary: 'Send a webhook.test event from one workspace',
    params: IdParam,
    body: StrictObject({
      workspaceId: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{24}$',
          maxLength: 24,
          'x-message': 'Must be the id of a workspace.',
          description: 'The workspace that sends it. Default: the oldest that it receives from',
        }),
      ),
    }),
    isBodyOptional: true,
    returns: Delivery,
    errors: ['webhook_not_found', 'workspace_not_found'],
  }),
}
