import { sql } from 'kysely'
import type { Db } from '../../infra/db/db.ts'
import type { DeliveryRef } from './jobs.ts'
import type { WebhookKey } from './webhook.store.ts'

export type ClaimedDelivery = DeliveryRef & { nextAttemptAt: Date }

type ClaimLimits = {
  horizonMs: number
  lostAfterMs: number
  perWebhook: number
  /** Webhooks whose endpoints answer promptly have a limit of their own. */
  prompt: { webhookIds: readonly string[]; perWebhook: number }
  /** Of deliveries, and of webhooks that are looked at. */
  limit: number
  /** Webhooks take turns: this claim begins after the one at which an earlier claim ended. */
  after: WebhookKey | null
}

/** `end` is the last webhook that was looked at; null if there is none after it. */
type Claim = { claimed: ClaimedDelivery[]; end: WebhookKey | null }

type End = { endWorkspaceId: string; endWebhookId: string; looked: number }
type Row = End & (ClaimedDelivery | { deliveryId: null })

/**
 * Claims deliveries that fall due before the horizon, across all workspaces. Several dispatchers may run: each skips rows that another one
 * is claiming. At most `perWebhook` deliveries of a webhook are in progress at a time, in all workspaces together: the webhook of an account
 * has one endpoint, and its rows have the same id in each of them. Deliveries that were claimed long ago and have no
 * outcome are claimed again. A claim raises the generation, so jobs from earlier claims do nothing.
 *
 * `webhook_with` steps through the index from one webhook to the next, because an endpoint that is down may have many waiting deliveries. It
 * looks at as many webhooks as deliveries may be claimed, and each of them gets one before any gets a second one.
 */
export async function claimDeliveries(
  system: Db,
  { horizonMs, lostAfterMs, perWebhook, prompt, limit, after }: ClaimLimits,
): Promise<Claim> {
  const horizon = sql`now() + make_interval(secs => ${horizonMs / 1000})`
  const lost = sql`now() - make_interval(secs => ${lostAfterMs / 1000})`
  const { rows } = await sql<Row>`
    with recursive webhook_with as (
      (
        select workspace_id, webhook_id, 1 as looked
        from webhook_delivery
        where status = 'pending'
          and claimed_at is null
          and (workspace_id, webhook_id) > (${after?.workspaceId ?? ''}, ${after?.id ?? ''})
        order by workspace_id, webhook_id
        limit 1
      )
      union all
      select next.workspace_id, next.webhook_id, w.looked + 1
      from webhook_with w, lateral (
        select d.workspace_id, d.webhook_id
        from webhook_delivery d
        where d.status = 'pending'
          and d.claimed_at is null
          and (d.workspace_id, d.webhook_id) > (w.workspace_id, w.webhook_id)
        order by d.workspace_id, d.webhook_id
        limit 1
      ) as next
      where w.looked < ${limit}::int
    ),
    -- Not a join: the system role has only nested loops, and both sides may have thousands of rows.
    capacity as (
      select workspace_id, webhook_id, free
      from (
        select
          workspace_id,
          webhook_id,
          in_progress,
          case when webhook_id = any(${prompt.webhookIds}::text[]) then ${prompt.perWebhook}::int else ${perWebhook}::int end
            - sum(in_progress) over (partition by webhook_id) as free
        from (
          select workspace_id, webhook_id, 0 as in_progress
          from webhook_with
          union all
          select workspace_id, webhook_id, 1
          from webhook_delivery
          where status = 'pending' and claimed_at is not null and next_attempt_at <= ${horizon}
        ) as each
      ) as counted
      where in_progress = 0
    ),
    due as (
      select workspace_id, webhook_id, id, next_attempt_at, turn
      from (
        select d.*, w.free, row_number() over (partition by d.webhook_id order by d.next_attempt_at) as turn
        from capacity w,
        lateral (
          select workspace_id, webhook_id, id, next_attempt_at
          from webhook_delivery d
          where d.workspace_id = w.workspace_id
            and d.webhook_id = w.webhook_id
            and d.status = 'pending'
            and d.claimed_at is null
            and d.next_attempt_at <= ${horizon}
          order by d.next_attempt_at
          limit greatest(0, w.free)
        ) as d
      ) as waiting
      where turn <= free
      union all
      select workspace_id, webhook_id, id, next_attempt_at, 1
      from webhook_delivery
      where status = 'pending' and claimed_at is not null and next_attempt_at < ${lost} and claimed_at < ${lost}
      order by turn, next_attempt_at
      limit ${limit}
    ),
    -- Each is looked up by its key. As a join, it compares all waiting deliveries with each other while statistics say that none is waiting.
    taken as (
      select d.*
      from due,
      lateral (
        select workspace_id, webhook_id, id
        from webhook_delivery
        where workspace_id = due.workspace_id
          and webhook_id = due.webhook_id
          and id = due.id
          and status = 'pending'
          and (claimed_at is null or claimed_at < ${lost})
        for update skip locked
      ) as d
    ),
    claimed as (
      update webhook_delivery d
      set generation = d.generation + 1, claimed_at = now()
      from taken
      where d.workspace_id = taken.workspace_id and d.webhook_id = taken.webhook_id and d.id = taken.id
      returning d.workspace_id, d.webhook_id, d.id, d.generation, d.next_attempt_at
    )
    select
      c.workspace_id as "workspaceId",
      c.webhook_id as "webhookId",
      c.id as "deliveryId",
      c.generation,
      c.next_attempt_at as "nextAttemptAt",
      w.workspace_id as "endWorkspaceId",
      w.webhook_id as "endWebhookId",
      w.looked
    from (select * from webhook_with order by looked desc limit 1) as w
    full join claimed c on true`.execute(system)
  const [first] = rows
  return {
    claimed: rows.filter((row) => row.deliveryId !== null),
    end: first?.looked === limit ? { workspaceId: first.endWorkspaceId, id: first.endWebhookId } : null,
  }
}

/** Deliveries that the engine did not accept can be claimed again at once. */
export async function releaseDeliveries(system: Db, refs: readonly DeliveryRef[]): Promise<void> {
  await sql`
    update webhook_delivery d
    set claimed_at = null, generation = d.generation + 1
    from unnest(
      ${refs.map((ref) => ref.workspaceId)}::text[],
      ${refs.map((ref) => ref.webhookId)}::text[],
      ${refs.map((ref) => ref.deliveryId)}::uuid[],
      ${refs.map((ref) => ref.generation)}::int[]
    ) as t (workspace_id, webhook_id, id, generation)
    where d.workspace_id = t.workspace_id
      and d.webhook_id = t.webhook_id
      and d.id = t.id
      and d.generation = t.generation
      and d.status = 'pending'`.execute(system)
}
