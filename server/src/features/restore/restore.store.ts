import type { ChannelError } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { idArray } from '../../infra/db/sql-parts.ts'
import { isComment } from '../posts/part.store.ts'
import { endOf, mayStart } from '../posts/post-status.store.ts'
import type { ChangedChannel } from '../posts/update-post-statuses.ts'

/** What is missing from the database: everything stored in this time. */
export type LostTime = { from: Date; until: Date }

/** A part of a channel that may have been sent. `channel_id` is null for the post itself. */
export type DoubtedPart = ChangedChannel & { channel_id: string | null; number: number; thread_parts: number }

/**
 * Parts of channels that were due in the lost time: they may have been sent, and the record of it is lost. A post that was created after the lost time
 * cannot have been sent in it. The posts are locked before their channels, as everywhere.
 */
export async function doubtChannels(tx: Tx, { until }: LostTime, error: ChannelError): Promise<DoubtedPart[]> {
  const isDoubtful = sql`${mayStart('doubt')} and c.dispatch_at <= ${until} and p.created_at <= ${until}`
  await sql`
    update post
    set status = case when status in ('scheduled', 'queued') then 'publishing' else status end
    where (workspace_id, id) in (
      select p.workspace_id, p.id
      from post p
      where exists (select from part c where c.workspace_id = p.workspace_id and c.post_id = p.id and ${isDoubtful})
      order by p.workspace_id, p.id
      for update of p
    )`.execute(tx)
  const { rows } = await sql<DoubtedPart>`
    update part c
    set state = ${endOf('doubt')}, error = ${JSON.stringify(error)}::jsonb, recover_at = now(), prepared = false, finished_at = null,
      generation = c.generation + 1
    from post p
    where p.workspace_id = c.workspace_id and p.id = c.post_id and ${isDoubtful}
    returning c.workspace_id, c.id, c.post_id, c.state, c.generation, c.connection_id, c.channel_id,
      c.number, c.thread_parts`.execute(tx)
  return rows
}

/** Channels that an earlier restore left in doubt: their lost time is about to be replaced, so platforms are no longer asked about them. */
export async function stopAsking(tx: Tx): Promise<void> {
  await sql`update part set recover_at = null where state = 'doubted' and recover_at is not null`.execute(tx)
}

/**
 * What follows a post that a platform was processing may have been sent in the lost time: first comments and the rest of a thread are left out,
 * with the warning.
 */
export async function leaveOutRest(tx: Tx, { comment, thread }: { comment: string; thread: string }): Promise<number> {
  const { rows } = await sql`
    update part
    set parts = number + 1, thread_parts = least(thread_parts, number),
      warnings = warnings || jsonb_build_array(case when number < thread_parts then ${thread} else ${comment} end)
    where state = 'confirming' and parts > number + 1
    returning 1`.execute(tx)
  return rows.length
}

/** The jobs of these channels belong to an earlier epoch and do nothing. Recovery takes the channels up at once instead of minutes later. */
export async function recoverNow(tx: Tx): Promise<void> {
  await sql`
    update part set recover_at = now() where state in ('dispatched', 'submitting', 'confirming') and recover_at > now()`.execute(
    tx,
  )
}

/** A session that was ended in the lost time is open again, so all sessions end. */
export async function endSessions(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('session').executeTakeFirst()
  return Number(numDeletedRows)
}

export async function listWorkspaceIds(tx: Tx): Promise<string[]> {
  const rows = await tx.selectFrom('workspace').select('id').execute()
  return rows.map(({ id }) => id)
}

export type DoubtedChannel = {
  workspaceId: string
  channelId: string
  postId: string
  connectionId: string
  generation: number
  dueAt: Date | null
}

/**
 * Claims doubted channels to ask about, all those of a post together. They are asked about less and less often, and for one day: after that
 * only a person can tell.
 */
export async function claimDoubted(system: Db, postsMax: number): Promise<DoubtedChannel[]> {
  const { rows } = await sql<DoubtedChannel>`
    with due as (
      select distinct workspace_id, post_id
      from part
      where state = 'doubted' and recover_at < now()
      limit ${postsMax}
    )
    update part c
    set recover_at = case
      when now() < cell.restored_at + interval '1 day'
        then now() + least(interval '1 hour', greatest(interval '1 minute', (now() - cell.restored_at) / 2))
      end
    from due, cell
    where c.workspace_id = due.workspace_id and c.post_id = due.post_id and c.state = 'doubted' and c.recover_at < now() and cell.id = 1
    returning c.workspace_id as "workspaceId", c.id as "channelId", c.post_id as "postId", c.connection_id as "connectionId", c.generation,
      c.due_at as "dueAt"`.execute(system)
  return rows
}

/**
 * Doubted channels of one post that were certainly not published return to the schedule, due as before, so they are late. What was staged is
 * kept if the platform itself says that it was not used: it also refuses to publish it twice.
 */
export async function returnToSchedule(
  tx: Tx,
  { workspaceId, postId }: { workspaceId: string; postId: string },
  channels: readonly { channelId: string; generation: number; keepsStaged: boolean }[],
): Promise<number> {
  await sql`select 1 from post where workspace_id = ${workspaceId} and id = ${postId} for update`.execute(tx)
  const { rows } = await sql<{ number: number; thread_parts: number }>`
    update part c
    set state = ${endOf('restoreAbsent')}, dispatch_at = now(), staged = case when t.keeps_staged then c.staged end, error = null,
      recover_at = null, generation = c.generation + 1
    from unnest(
      ${idArray(channels, (c) => c.channelId)}::text[],
      ${channels.map((c) => c.generation)}::int[],
      ${channels.map((c) => c.keepsStaged)}::boolean[]
    ) as t (id, generation, keeps_staged)
    where c.workspace_id = ${workspaceId} and c.id = t.id and c.generation = t.generation and ${mayStart('restoreAbsent')}
    returning c.number, c.thread_parts`.execute(tx)
  // A first comment changes nothing about its post.
  if (rows.every(isComment)) return rows.length
  // A post of which nothing was sent is scheduled again, so that the workspace's setting for late posts applies to it as a whole.
  await sql`
    update post p
    set updated_at = now(),
      status = case
        when exists (
          select from channel c
          where c.workspace_id = p.workspace_id and c.post_id = p.id and c.state not in ('scheduled', 'canceled')
        ) then 'publishing'
        when p.scheduled_at is null then 'queued'
        else 'scheduled'
      end
    where p.workspace_id = ${workspaceId} and p.id = ${postId}`.execute(tx)
  return rows.length
}
