import { events, webhooks } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { changeWebhook } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { getWebhook, getWebhooks } from './get-webhook.ts'
import { listDeliveries } from './list-deliveries.ts'
import { listEvents } from './log/list-events.ts'
import { redeliver, redeliverFailed } from './redeliver.ts'
import { removeWebhook } from './remove-webhook.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testWebhook } from './test-webhook.ts'

export function webhookRoutes(app: FastifyInstance, ctx: Context): void {
  servePrepared(app, ctx, webhooks.create, createWebhook)
  serve(app, ctx, webhooks.list, (call) => getWebhooks(call))
  serve(app, ctx, webhooks.get, (call) => getWebhook(call, call.params.id))
  servePrepared(app, ctx, webhooks.update, changeWebhook)
  serve(app, ctx, webhooks.remove, (call) => removeWebhook(call, call.params.id))
  serve(app, ctx, webhooks.deliveries, (call) => listDeliveries(call, call.params.id))
  serve(app, ctx, webhooks.test, (call) => testWebhook(call, call.params.id))
  serve(app, ctx, webhooks.redeliver, (call) => redeliver(call, call.params.id, call.params.deliveryId))
  serve(app, ctx, webhooks.redeliverFailed, (call) => redeliverFailed(call, call.params.id, call.body.since))
  serve(app, ctx, events.list, (call) => listEvents(call, call.query))
  serve(app, ctx, webhooks.rotateSecret, (call) => rotateSecret(call, call.params.id))
}
