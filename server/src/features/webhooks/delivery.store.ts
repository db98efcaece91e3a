import { sql, type Selectable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { WebhookDeliveryTable } from '../../infra/db/tables.ts'
import { receives } from './account/account-webhook.store.ts'
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

const againColumns = {
  status: 'pending' as const,
  tries: 0,
  delivered_at: null,
  claimed_at: null,
  generation: sql<number>`generation + 1`,
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
    .set({ ...againColumns, url, next_attempt_at: at })
    .returningAll()
    .executeTakeFirst()
}

/** Starts all failed deliveries again that were made from this time on. Returns their number. */
export async function resetFailedDeliveries(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  { url, since, at }: { url: string; since: Date | null; at: Date },
): Promise<number> {
  const failed = tx
    .updateTable('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .where('webhook_id', '=', id)
    .where('status', '=', 'failed')
  const { numUpdatedRows } = await (since === null ? failed : failed.where('created_at', '>=', since))
    .set({ ...againColumns, url, next_attempt_at: at })
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** A delivery to attempt now, with the current URL and secret of its webhook, which may have changed since the event. */
export type Attempt = Pick<DeliveryRow, 'event' | 'body' | 'tries'> &
  Pick<
    WebhookRow,
    | 'url'
    | 'active'
    | 'retries'
    | 'disabled_reason'
    | 'secret_sealed'
    | 'previous_secret_sealed'
    | 'previous_secret_until'
    | 'account_webhook_id'
    | 'format'
    | 'address_sealed'
  > & {
    /** False if the webhook is of an account that receives nothing of this workspace any more. */
    receives: boolean
  }

/** By the id of the delivery. A stale reference has none: the delivery was settled, redelivered, claimed again, or removed with its webhook. */
export async function findAttempts(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  refs: readonly DeliveryRef[],
): Promise<Map<string, Attempt>> {
  const { rows } = await sql<Attempt & { id: string }>`
    select
      d.id, d.event, d.body, d.tries,
      w.account_webhook_id, w.format, w.address_sealed,
      w.account_webhook_id is null or coalesce(${receives}, false) as receives,
      coalesce(a.url, w.url) as url,
      coalesce(a.active, w.active) as active,
      coalesce(a.retries, w.retries) as retries,
      coalesce(a.disabled_reason, w.disabled_reason) as disabled_reason,
      coalesce(a.secret_sealed, w.secret_sealed) as secret_sealed,
      coalesce(a.previous_secret_sealed, w.previous_secret_sealed) as previous_secret_sealed,
      coalesce(a.previous_secret_until, w.previous_secret_until) as previous_secret_until
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
    join webhook w on w.workspace_id = d.workspace_id and w.id = d.webhook_id
    left join account_webhook a on a.id = w.account_webhook_id
    left join member m on m.workspace_id = w.workspace_id and m.person_id = a.person_id`.execute(tx)
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

type NewOutcome = { ref: DeliveryRef; settlement: Settlement }

/** By the id of the delivery: its new generation. A delivery whose generation had changed is left out. */
type SettledDeliveries = { generations: ReadonlyMap<string, number>; hasWaiting: boolean }

/**
 * Stores the outcomes of attempts at deliveries of one webhook, except where the delivery's generation has changed since. A delivery that
 * stays pending counts as claimed: its retry is enqueued with the new generation, and the dispatcher claims it again only if the engine
 * loses the job. One statement for all of them: in a burst, there are hundreds each second.
 */
export async function settleDeliveries(
  tx: Tx,
  { workspaceId, id }: WebhookKey,
  outcomes: readonly NewOutcome[],
): Promise<SettledDeliveries> {
  const column = <K extends keyof Settlement>(name: K) => outcomes.map(({ settlement }) => settlement[name])
  const { rows } = await sql<{ id: string; generation: number; hasWaiting: boolean }>`
    with settled as (
      update webhook_delivery d
      set
        status = t.status,
        url = coalesce(t.url, d.url),
        status_code = t.status_code,
        response_body = t.response_body,
        delivered_at = t.delivered_at,
        next_attempt_at = t.next_attempt_at,
        duration_ms = t.duration_ms,
        attempts = d.attempts + case when t.url is null then 0 else 1 end,
        tries = d.tries + case when t.url is null then 0 else 1 end,
        generation = d.generation + 1,
        claimed_at = case when t.status = 'pending' then now() end
      from unnest(
        ${outcomes.map(({ ref }) => ref.deliveryId)}::uuid[],
        ${outcomes.map(({ ref }) => ref.generation)}::int[],
        ${column('status')}::text[],
        ${column('url')}::text[],
        ${column('statusCode')}::int[],
        ${column('responseBody')}::text[],
        ${column('deliveredAt')}::timestamptz[],
        ${column('nextAttemptAt')}::timestamptz[],
        ${column('durationMs')}::int[]
      ) as t (id, generation, status, url, status_code, response_body, delivered_at, next_attempt_at, duration_ms)
      where d.workspace_id = ${workspaceId}
        and d.webhook_id = ${id}
        and d.id = t.id
        and d.generation = t.generation
        and d.status = 'pending'
      returning d.id, d.generation
    )
    select
      id,
      generation,
      exists (
        select from webhook_delivery w
        where w.workspace_id = ${workspaceId}
          and w.webhook_id = ${id}
          and w.status = 'pending'
          and w.claimed_at is null
      ) as "hasWaiting"
    from settled`.execute(tx)
  return {
    generations: new Map(rows.map((row) => [row.id, row.generation])),
    hasWaiting: rows[0]?.hasWaiting ?? false,
  }
}

/**
 * Deletes all but the newest settled deliveries of a webhook, as soon as there are twice as many: finding and deleting one after each attempt
 * would cost more than storing its outcome. A pending delivery is not deleted, however old it is, so that no event is lost. Skips rows that
 * another run is deleting.
 */
export async function trimDeliveries(tx: Tx, { workspaceId, id }: WebhookKey, keep: number): Promise<void> {
  const newest = (count: number) => sql`
    select n.id
    from webhook_delivery n
    where n.workspace_id = ${workspaceId} and n.webhook_id = ${id} and n.status <> 'pending'
    order by n.id desc
    offset ${count - 1}
    limit 1`
  // By place in the table: as a join, it compares all old deliveries with each other while statistics say that there are none.
  await sql`
    delete from webhook_delivery
    where ctid = any(array(
      select o.ctid
      from webhook_delivery o
      where o.workspace_id = ${workspaceId}
        and o.webhook_id = ${id}
        and o.status <> 'pending'
        and (${newest(2 * keep)}) is not null
        and o.id < (${newest(keep)})
      for update skip locked
    ))`.execute(tx)
}
