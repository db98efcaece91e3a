import { sql, type Selectable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { WebhookDeliveryTable } from '../../infra/db/tables.ts'
import type { DeliveryRef } from './jobs.ts'
import type { WebhookKey, WebhookRow } from './webhook.store.ts'

export type DeliveryRow = Selectable<WebhookDeliveryTable>
export type NewDelivery = {
  workspaceId: string
  webhookId: string
  id: string
  event: string
  url: string
  body: string
  at: Date
}

/** The new deliveries are pending; the dispatcher claims them for their first attempt. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  const column = <K extends keyof NewDelivery>(name: K) => deliveries.map((delivery) => delivery[name])
  await sql`
    insert into webhook_delivery (
      workspace_id, webhook_id, id, event, url, body, next_attempt_at, created_at,
      status, status_code, attempts, tries, response_body
    )
    select
      t.workspace_id, t.webhook_id, t.id, t.event, t.url, t.body, t.at, t.at,
      'pending', 0, 0, 0, ''
    from unnest(
      ${column('workspaceId')}::text[],
      ${column('webhookId')}::text[],
      ${column('id')}::uuid[],
      ${column('event')}::text[],
      ${column('url')}::text[],
      ${column('body')}::text[],
      ${column('at')}::timestamptz[]
    ) as t (workspace_id, webhook_id, id, event, url, body, at)`.execute(tx)
}

/** The most recent first; ids are ordered by time. */
export async function findDeliveries(tx: Tx, { workspaceId, id }: WebhookKey, limit: number): Promise<DeliveryRow[]> {
  return tx
    .selectFrom('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', id)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findDelivery(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return tx
    .selectFrom('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', id)
    .where('id', '=', deliveryId)
    .selectAll()
    .executeTakeFirst()
}

/** Starts a delivery again with all its retries. The higher generation makes a run that is still in progress stale. */
export async function resetDelivery(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  { deliveryId, url, at }: { deliveryId: string; url: string; at: Date },
): Promise<DeliveryRow | undefined> {
  return tx
    .updateTable('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', id)
    .where('id', '=', deliveryId)
    .set({
      status: 'pending',
      url,
      tries: 0,
      delivered_at: null,
      next_attempt_at: at,
      claimed_at: null,
      generation: sql<number>`generation + 1`,
    })
    .returningAll()
    .executeTakeFirst()
}

/** A delivery to attempt now, with the current URL and secret of its webhook, which may have changed since the event. */
export type Attempt = Pick<DeliveryRow, 'event' | 'body' | 'tries'> &
  Pick<WebhookRow, 'url' | 'active' | 'disabled_reason' | 'secret_sealed' | 'previous_secret_sealed' | 'previous_secret_until'>

/** By the id of the delivery. A stale reference has none: the delivery was settled, redelivered, claimed again, or removed with its webhook. */
export async function findAttempts(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  refs: readonly DeliveryRef[],
): Promise<Map<string, Attempt>> {
  const { rows } = await sql<Attempt & { id: string }>`
    select
      d.id, d.event, d.body, d.tries,
      w.url, w.active, w.disabled_reason, w.secret_sealed, w.previous_secret_sealed, w.previous_secret_until
    from unnest(
      ${refs.map((ref) => ref.deliveryId)}::uuid[],
      ${refs.map((ref) => ref.generation)}::int[]
    ) as t (id, generation)
    join webhook_delivery d
      on d.workspace_id = ${workspaceId}
      and d.webhook_id = ${id}
      and d.id = t.id
      and d.generation = t.generation
      and d.status = 'pending'
    join webhook w on w.workspace_id = d.workspace_id and w.id = d.webhook_id`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

export type Settlement = {
  status: DeliveryRow['status']
  /** Where it was sent; null if nothing was sent. */
  url: string | null
  statusCode: number
  responseBody: string
  deliveredAt: Date | null
  nextAttemptAt: Date | null
  durationMs: number | null
}

export type SettledDelivery = { generation: number; hasWaiting: boolean }

/**
 * Stores the outcome of an attempt, unless the delivery's generation has changed since. A delivery that stays pending counts as claimed:
 * its retry is enqueued with the new generation, and the dispatcher claims it again only if the engine loses the job.
 */
export async function settleDelivery(tx: Tx, ref: DeliveryRef, settlement: Settlement): Promise<SettledDelivery | undefined> {
  const { status, url, statusCode, responseBody, deliveredAt, nextAttemptAt, durationMs } = settlement
  const sent = url === null ? 0 : 1
  const { rows } = await sql<SettledDelivery>`
    update webhook_delivery d
    set
      status = ${status},
      url = coalesce(${url}, d.url),
      status_code = ${statusCode},
      response_body = ${responseBody},
      delivered_at = ${deliveredAt},
      next_attempt_at = ${nextAttemptAt},
      duration_ms = ${durationMs},
      attempts = d.attempts + ${sent}::int,
      tries = d.tries + ${sent}::int,
      generation = d.generation + 1,
      claimed_at = case when ${status} = 'pending' then now() end
    where d.workspace_id = ${ref.workspaceId}
      and d.webhook_id = ${ref.webhookId}
      and d.id = ${ref.deliveryId}
      and d.generation = ${ref.generation}
      and d.status = 'pending'
    returning
      d.generation,
      exists (
        select from webhook_delivery w
        where w.workspace_id = ${ref.workspaceId}
          and w.webhook_id = ${ref.webhookId}
          and w.status = 'pending'
          and w.claimed_at is null
      ) as "hasWaiting"`.execute(tx)
  return rows[0]
}

/**
 * Deletes all but the newest settled deliveries of a webhook. A pending delivery is not deleted, however old it is, so that no event is
 * lost. Skips rows that another run is deleting.
 */
export async function trimDeliveries(tx: Tx, { workspaceId, id }: WebhookKey, keep: number): Promise<void> {
  await sql`
    delete from webhook_delivery d
    using (
      select o.id
      from webhook_delivery o
      where o.workspace_id = ${workspaceId}
        and o.webhook_id = ${id}
        and o.status <> 'pending'
        and o.id < (
          select n.id
          from webhook_delivery n
          where n.workspace_id = ${workspaceId} and n.webhook_id = ${id} and n.status <> 'pending'
          order by n.id desc
          offset ${keep - 1}
          limit 1
        )
      for update skip locked
    ) as old
    where d.workspace_id = ${workspaceId} and d.webhook_id = ${id} and d.id = old.id`.execute(tx)
}
