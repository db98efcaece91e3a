import type { ChannelState } from '@carillon/core'
import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { idArray } from '../../../infra/db/sql-parts.ts'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import type { ChangedPart } from '../../posts/part.store.ts'
import { endOf, mayStart } from '../../posts/post-status.store.ts'
import { isCurrent } from '../channel-ref-rows.store.ts'
import type { ChannelRef } from '../channel-ref.ts'
import type { Finished, Result } from './result.ts'

/** The new values of a channel whose result is known. */
export type Settlement = {
  ref: ChannelRef
  postId: string
  state: Extract<ChannelState, 'published' | 'confirming' | 'failed' | 'unconfirmed' | 'scheduled'>
  postUrl: string | null
  platformPostId: string | null
  publishedAt: Date | null
  /** When it is tried again. */
  laterAt: Date | null
  reference: string | null
  /** How long after the send a person may finish it in the app of the platform. */
  finishWithinMs: number | null
  renewToken: boolean
  /** What was staged is forgotten, so that it is made again. */
  restage: boolean
  /** The platform refused it for a reason which may pass. */
  isRefused: boolean
  waitingReason: WaitingReason | null
  /** JSON, or null for none. */
  error: string | null
  /** A JSON array, appended to the warnings already there. */
  warnings: string
}

/** The values that most results have. */
export const noValues = {
  postUrl: null,
  platformPostId: null,
  publishedAt: null,
  laterAt: null,
  reference: null,
  finishWithinMs: null,
  renewToken: false,
  restage: false,
  isRefused: false,
  waitingReason: null,
  error: null,
  warnings: '[]',
} as const satisfies Partial<Settlement>

/** What became of a result. `row` is the channel as it is now, or null if its result is not known after all. */
export type Settled = Omit<Finished, 'result'> & { row: ChangedPart | null; result: Result }

/** Locks the posts in one order, so that two runs that settle channels of the same posts cannot deadlock. */
export async function lockPosts(tx: Tx, settlements: readonly Pick<Settlement, 'ref' | 'postId'>[]): Promise<void> {
  await sql`
    select p.id
    from post p
    join (
      select distinct *
      from unnest(
        ${idArray(settlements, (s) => s.ref.workspaceId)}::text[],
        ${idArray(settlements, (s) => s.postId)}::text[]
      )
    ) as t (workspace_id, id) on p.workspace_id = t.workspace_id and p.id = t.id
    order by p.workspace_id, p.id
    for update of p`.execute(tx)
}

const settleTransitions = ['settlePublished', 'settleProcessing', 'settleFailed', 'settleLater', 'settleUnconfirmed'] as const

const isAllowed = sql.join(
  settleTransitions.map((transition) => sql`(t.state = ${endOf(transition)} and ${mayStart(transition)})`),
  sql` or `,
)

/**
 * Writes the results of channels. A channel that has moved on is left alone: one of a later generation, or one that is already settled. One
 * exception is in the table of transitions: an answer that arrives after all may turn `unconfirmed` into `published`.
 */
export async function settleChannels(tx: Tx, all: readonly Settlement[]): Promise<ChangedPart[]> {
  const { rows } = await sql<ChangedPart>`
    update part c
    set state = t.state,
      post_url = t.post_url,
      platform_post_id = t.platform_post_id,
      published_at = t.published_at,
      finished_at = case when t.state in ('published', 'failed', 'unconfirmed') then coalesce(t.published_at, now()) end,
      -- An attempt at preparing that failed waits for its time; the due time itself does not move unless that is later.
      dispatch_at = greatest(t.later_at, c.dispatch_at),
      not_before = case when c.state = 'dispatched' then t.later_at + interval '120 seconds' end,
      waiting_reason = t.waiting_reason,
      reference = coalesce(t.reference, c.reference),
      finish_by = c.submitted_at + t.finish_within_ms * interval '1 millisecond',
      renew_token = t.renew_token,
      staged = case when not t.restage then c.staged end,
      staged_at = case when not t.restage then c.staged_at end,
      prepared = false,
      tries = c.tries + case when c.state = 'dispatched' then 1 else 0 end,
      refusals = c.refusals + case when t.is_refused then 1 else 0 end,
      error = t.error::jsonb,
      warnings = c.warnings || t.warnings::jsonb,
      recover_at = case when t.state = 'confirming' then now() + interval '10 minutes' end,
      generation = c.generation + case when t.state = 'scheduled' then 1 else 0 end
    from unnest(
      ${idArray(all, (s) => s.ref.workspaceId)}::text[],
      ${idArray(all, (s) => s.ref.channelId)}::text[],
      ${all.map((s) => s.ref.generation)}::int[],
      ${all.map((s) => s.ref.epoch)}::int[],
      ${idArray(all, (s) => s.state)}::text[],
      ${all.map((s) => s.postUrl)}::text[],
      ${all.map((s) => s.platformPostId)}::text[],
      ${all.map((s) => s.publishedAt)}::timestamptz[],
      ${all.map((s) => s.laterAt)}::timestamptz[],
      ${all.map((s) => s.reference)}::text[],
      ${all.map((s) => s.finishWithinMs)}::int[],
      ${all.map((s) => s.renewToken)}::boolean[],
      ${all.map((s) => s.restage)}::boolean[],
      ${all.map((s) => s.isRefused)}::boolean[],
      ${all.map((s) => s.waitingReason)}::text[],
      ${all.map((s) => s.error)}::text[],
      ${all.map((s) => s.warnings)}::text[]
    ) as t (workspace_id, id, generation, epoch, state, post_url, platform_post_id, published_at, later_at, reference, finish_within_ms,
      renew_token, restage, is_refused, waiting_reason, error, warnings)
    where ${isCurrent} and (${isAllowed})
    returning c.workspace_id, c.id, c.post_id, c.state, c.generation, c.connection_id, c.platform, c.number,
      c.parts, c.thread_parts, c.channel_id`.execute(tx)
  return rows
}
