import { type EventName, type LoggedEvent, type QueryOf, type ReturnsOf, events, webhooks } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { rangeEnd } from '../../infra/http/serve-file.ts'
import { servePrepared } from '../../infra/http/serve-prepared.ts'
import { serve } from '../../infra/http/serve.ts'
import { changeWebhook, removeWebhook, rotateSecret } from './change-webhook.ts'
import { createWebhook } from './create-webhook.ts'
import { getWebhook, getWebhooks } from './get-webhook.ts'
import { loadEventData } from './load-event-data.ts'
import { findLoggedEvents } from './log/event-log.store.ts'
import { listDeliveries, redeliver, redeliverFailed, testWebhook } from './present-delivery.ts'

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

const limitDefault = 50

/** A page of the log. Posts and connections are read now: the log has only their ids. */
async function listEvents(
  { ctx, tx, principal }: RequestScope,
  { type, from, to, cursor, limit = limitDefault }: QueryOf<typeof events.list>,
): Promise<ReturnsOf<typeof events.list>> {
  const { workspaceId } = principal
  const rows = await findLoggedEvents(tx, {
    workspaceId,
    events: type ? (type.split(',') as EventName[]) : null,
    from: from ? new Date(from) : null,
    to: to ? rangeEnd(to) : null,
    after: cursor ?? null,
    limit,
  })
  const logged = rows.map(({ id, event, at, post_id: postId, channel_id: channelId, connection_id: connectionId }) => {
    return { id, happened: { workspaceId, event, postId, channelId, connectionId, personId: null, atMs: at.getTime() } }
  })
  const dataOf = await loadEventData(
    ctx,
    { tx, system: ctx.db.system },
    logged.map(({ happened }) => happened),
  )
  const data = logged.map(({ id, happened }) => ({
    id,
    event: happened.event,
    timestamp: new Date(happened.atMs).toISOString(),
    workspaceId,
    data: (dataOf(happened) ?? null) as LoggedEvent['data'],
  }))
  return { data, nextCursor: rows.length === limit ? (rows.at(-1)?.id ?? null) : null }
}
