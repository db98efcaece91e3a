import type { ChannelError } from '@carillon/contract'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { ChannelEventTable } from '../../infra/db/tables.ts'
import type { PostKey } from './post.store.ts'

export type ChannelEventRow = Selectable<ChannelEventTable>
export type NewChannelEvent = Omit<Insertable<ChannelEventTable>, 'id'>

export async function insertChannelEvents(tx: Tx, events: readonly NewChannelEvent[]): Promise<void> {
  if (events.length > 0)
    await tx
      .insertInto('channel_event')
      .values([...events])
      .execute()
}

/** A failed attempt of a channel; it is repeated at `retryAt`, or not at all. */
export type FailedAttempt = {
  workspaceId: string
  postId: string
  channelId: string
  stage: 'failed' | 'unconfirmed'
  error: ChannelError
  retryAt: Date | null
}

/**
 * Writes failed attempts in the transaction that settles them. A channel that waits for long, for example for its account to be connected
 * again, is tried every few minutes with the same result: then only the time of the next attempt changes.
 */
export async function insertFailedAttempts(tx: Tx, attempts: readonly FailedAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  await sql`
    with failed as (
      select t.*, c.attempts as attempt, (
        select max(e.id)
        from channel_event e
        where e.workspace_id = t.workspace_id and e.post_id = t.post_id and e.channel_id = t.channel_id
      ) as last_id
      from unnest(
        ${attempts.map(({ workspaceId }) => workspaceId)}::text[],
        ${attempts.map(({ postId }) => postId)}::text[],
        ${attempts.map(({ channelId }) => channelId)}::text[],
        ${attempts.map(({ stage }) => stage)}::text[],
        ${attempts.map(({ error }) => error.code)}::text[],
        ${attempts.map(({ error }) => error.platformCode)}::text[],
        ${attempts.map(({ error }) => error.message)}::text[],
        ${attempts.map(({ error }) => error.reason ?? null)}::text[],
        ${attempts.map(({ error }) => error.platformMessage ?? null)}::text[],
        ${attempts.map(({ retryAt }) => retryAt)}::timestamptz[]
      ) as t (workspace_id, post_id, channel_id, stage, code, platform_code, message, reason, platform_message, retry_at)
      join channel c on c.workspace_id = t.workspace_id and c.id = t.channel_id
    ),
    repeated as (
      update channel_event e
      set retry_at = f.retry_at
      from failed f
      where e.workspace_id = f.workspace_id
        and e.post_id = f.post_id
        and e.id = f.last_id
        and e.stage = f.stage
        and e.attempt = f.attempt
        and e.code = f.code
        and e.retry_at is not null
        and f.retry_at is not null
      returning e.workspace_id, e.channel_id
    )
    insert into channel_event (
      workspace_id, post_id, channel_id, at, stage, attempt, code, platform_code, message, reason, platform_message, retry_at)
    select
      workspace_id, post_id, channel_id, clock_timestamp(), stage, attempt, code, platform_code, message, reason, platform_message, retry_at
    from failed
    where (workspace_id, channel_id) not in (select workspace_id, channel_id from repeated)`.execute(tx)
}

export async function listChannelEvents(tx: Tx, { workspaceId, id }: PostKey): Promise<ChannelEventRow[]> {
  return tx
    .selectFrom('channel_event')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .selectAll()
    .orderBy('id')
    .execute()
}
