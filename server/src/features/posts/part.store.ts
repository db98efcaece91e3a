import { warningTexts } from '@carillon/contract'
import { channelTransitions } from '@carillon/core'
import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { idArray } from '../../infra/db/sql-parts.ts'
import { newStart, type PartRow, type PostKey } from './post.store.ts'
import { endOf, mayStart } from './post-status.store.ts'
import type { ChangedChannel } from './update-post-statuses.ts'

/** A part that has just changed its state. */
export type ChangedPart = ChangedChannel & {
  platform: string
  number: number
  parts: number
  thread_parts: number
  channel_id: string | null
}

/** The first comment follows the last post of the thread, or the only post. It changes nothing about its channel's result. */
export function isComment({ number, thread_parts: last }: Pick<PartRow, 'number' | 'thread_parts'>): boolean {
  return number > last
}

/** A part that follows one which is published: how long after it, and whether something is to be made before it is sent. */
export type NextPart = {
  workspaceId: string
  id: string
  afterId: string
  needsStage: boolean
  afterMs: number
  transition: (typeof followTransitions)[number]
  /** A JSON object, if the part cannot be sent. */
  error: string | null
}

const followTransitions = ['follow', 'followInVain', 'followInDoubt'] as const

const mayFollow = sql.join(
  followTransitions.map((transition) => sql`(t.state = ${endOf(transition)} and ${mayStart(transition)})`),
  sql` or `,
)

/** Makes the parts that follow, due as soon as the platform is ready for them. */
export async function insertNextParts(tx: Tx, next: readonly NextPart[]): Promise<ChangedPart[]> {
  if (next.length === 0) return []
  const { rows } = await sql<ChangedPart>`
    insert into part (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at,
      needs_stage, warnings, media_count, traceparent, number, parts, thread_parts, channel_id, reply_to, error, recover_at, finished_at)
    select c.workspace_id, t.id, c.post_id, c.position, c.connection_id, c.connection_slug, c.target_name, c.platform, t.state,
      now() + t.wait, now() + t.wait, t.needs_stage, '[]', 0, c.traceparent, c.number + 1, c.parts, c.thread_parts,
      coalesce(c.channel_id, c.id), c.platform_post_id, t.error::jsonb, case when t.state = 'doubted' then now() end,
      case when t.state = 'failed' then now() end
    from unnest(
      ${idArray(next, (part) => part.workspaceId)}::text[],
      ${idArray(next, (part) => part.id)}::text[],
      ${idArray(next, (part) => part.afterId)}::text[],
      ${next.map((part) => part.needsStage)}::boolean[],
      ${next.map((part) => `${part.afterMs} milliseconds`)}::interval[],
      ${idArray(next, (part) => channelTransitions[part.transition].to)}::text[],
      ${next.map((part) => part.error)}::text[]
    ) as t (workspace_id, id, after_id, needs_stage, wait, state, error)
    join part c on c.workspace_id = t.workspace_id and c.id = t.after_id
    where ${mayFollow}
    returning workspace_id, id, post_id, state, generation, connection_id, platform, number, parts, thread_parts, channel_id`.execute(
    tx,
  )
  return rows
}

/** The post of a channel, or the post of its thread, of which it is not known whether it was published. A first comment is never that. */
export async function findUnconfirmedPart(tx: Tx, { workspaceId, id }: PostKey, channelId: string): Promise<PartRow | undefined> {
  return tx
    .selectFrom('part')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .where((at) => at.or([at('id', '=', channelId), at('channel_id', '=', channelId)]))
    .where('state', 'in', ['unconfirmed', 'doubted'])
    .whereRef('number', '<=', 'thread_parts')
    .selectAll()
    .executeTakeFirst()
}

export type RetriedPart = Pick<PartRow, 'channel_id' | 'number' | 'thread_parts'>

/**
 * Sends failed parts after the posts of these channels again, as if they had not been tried: posts of a thread and first comments. What nothing
 * can be an answer to stays as it is.
 */
export async function retryParts(tx: Tx, { workspaceId, id }: PostKey, channelIds: readonly string[]): Promise<RetriedPart[]> {
  if (channelIds.length === 0) return []
  const rows = await tx
    .updateTable('part')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', id)
    .where('channel_id', 'in', channelIds)
    .where('reply_to', 'is not', null)
    .where(mayStart('retry', 'state'))
    .set({
      ...newStart,
      state: channelTransitions.retry.to,
      due_at: sql<Date>`now()`,
      dispatch_at: sql<Date>`now()`,
      prepared: false,
      generation: sql<number>`generation + 1`,
    })
    .returning(['channel_id', 'number', 'thread_parts'])
    .execute()
  return rows
}

export const unknownPostWarning = warningTexts.comment_post_unknown

/** The comment may be on the platform, so it is not sent again. */
export const lostAnswerWarning = warningTexts.comment_answer_lost

const prefix = 'The first comment '

type EndedComment = { workspace_id: string; channel_id: string; warning: string | null }

/** A channel tells the last that is known of its first comment. The caller has locked the posts. */
export async function replaceCommentWarnings(tx: Tx, comments: readonly EndedComment[]): Promise<void> {
  if (comments.length === 0) return
  await sql`
    update channel c
    set warnings = (
      select coalesce(jsonb_agg(w.value order by w.position), '[]'::jsonb)
      from jsonb_array_elements(c.warnings) with ordinality as w (value, position)
      where not starts_with(w.value #>> '{}', ${prefix})
    ) || case when t.warning is null then '[]'::jsonb else jsonb_build_array(t.warning) end
    from unnest(
      ${idArray(comments, (comment) => comment.workspace_id)}::text[],
      ${idArray(comments, (comment) => comment.channel_id)}::text[],
      ${comments.map((comment) => comment.warning)}::text[]
    ) as t (workspace_id, id, warning)
    where c.workspace_id = t.workspace_id and c.id = t.id`.execute(tx)
}
