import type { ChannelState } from '@carillon/core'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { idArray } from '../../infra/db/sql-parts.ts'
import { mayStart } from '../posts/post-status.store.ts'
import { isCurrent } from './channel-ref-rows.store.ts'
import type { ChannelRef } from './channel-ref.ts'

/** The platform's id of what a part published. */
export type Claim = { ref: ChannelRef; platformPostId: string }

/**
 * Claims the platform's ids of posts and comments for parts that are about to be settled as published, and returns those whose id belongs to
 * another part, with their state. The caller has locked the posts.
 *
 * The primary key decides: of two transactions that claim one id, the second waits for the end of the first. All insert in one order, so that
 * two batches cannot wait for each other.
 */
export async function claimPostIds(tx: Tx, claims: readonly Claim[]): Promise<Map<string, ChannelState>> {
  if (claims.length === 0) return new Map()
  const { rows } = await sql<{ id: string; state: ChannelState }>`
    with wanted as materialized (
      select k.platform, coalesce(k.instance_url, '') as instance_url, k.account_id, t.platform_post_id, c.workspace_id, c.id, c.state
      from part c
      join connection k on k.workspace_id = c.workspace_id and k.id = c.connection_id
      join unnest(
        ${idArray(claims, ({ ref }) => ref.workspaceId)}::text[],
        ${idArray(claims, ({ ref }) => ref.channelId)}::text[],
        ${claims.map(({ ref }) => ref.generation)}::int[],
        ${claims.map(({ ref }) => ref.epoch)}::int[],
        ${claims.map(({ platformPostId }) => platformPostId)}::text[]
      ) as t (workspace_id, id, generation, epoch, platform_post_id) on ${isCurrent}
      where ${mayStart('settlePublished')}
    ), claimed as (
      insert into platform_post (platform, instance_url, account_id, platform_post_id, workspace_id, channel_id)
      select platform, instance_url, account_id, platform_post_id, workspace_id, id
      from wanted
      order by platform, instance_url, account_id, platform_post_id, workspace_id, id
      on conflict do nothing
      returning workspace_id, channel_id
    )
    select w.id, w.state
    from wanted w
    where (w.workspace_id, w.id) not in (select workspace_id, channel_id from claimed)
      and not exists (
        select from platform_post p
        where p.platform = w.platform and p.instance_url = w.instance_url and p.account_id = w.account_id
          and p.platform_post_id = w.platform_post_id and p.workspace_id = w.workspace_id and p.channel_id = w.id
      )`.execute(tx)
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** An account on a platform, as its connections have it. */
export type PlatformAccount = { platform: string; instance_url: string | null; account_id: string }

/** A row is written some time after its post was made, and by another clock than the platform's. */
const marginMs = 86_400_000

/**
 * The platform's ids of the posts and comments of this account that channels of any workspace and connection have, made at this time or later.
 * None of them can be a post that is still looked for.
 */
export async function findKnownPostIds(
  system: Db,
  { platform, instance_url, account_id }: PlatformAccount,
  fromMs: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select platform_post_id as id
    from platform_post
    where platform = ${platform} and instance_url = ${instance_url ?? ''} and account_id = ${account_id}
      and claimed_at >= ${new Date(fromMs - marginMs)}`.execute(system)
  return new Set(rows.map(({ id }) => id))
}
