import { sql } from 'kysely'
import { cellEpoch, openEpoch } from '../../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { idArray } from '../../../infra/db/sql-parts.ts'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import { endOf, mayStart } from '../../posts/post-status.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import { type ChannelRef, type ChannelRefRow, refOf } from '../channel-ref.ts'
import type { ChannelToSend, LoadedChannel } from '../open-channel.ts'

// Only the columns that sending needs: thousands of rows are read at once, and parsing dates is a measurable cost.
const channelColumns = sql`
  c.workspace_id, c.id, c.post_id, c.connection_id, c.connection_slug, c.platform, c.state, c.generation, c.due_at, c.dispatch_at,
  c.needs_stage, c.staged, c.handle_at, c.armed_at, c.submitted_at, c.reference, c.finish_by, c.tries, c.refusals, c.renew_token, c.media_count,
  c.platform_post_id, c.number, c.parts, c.thread_parts, c.reply_to, c.traceparent, ${cellEpoch} as epoch`

const postColumns = sql`
  workspace_id, id, status, type, content_format, title, text, first_comment, thread, link_url, ai_generated, platform_options,
  link_tags, pending_medias, pending_error`

const connectionColumns = sql`
  workspace_id, id, platform, account_id, handle, instance_url, credentials_sealed, status, status_reason, token_expires_at,
  token_renewed_at, own_app`

/**
 * Sets the guard: moves channels from dispatched to submitting, each at most once per generation, and commits before the first byte is
 * sent. Only the channels that this statement returns may be sent, and none before its time. No index changes with it (ADR 16):
 * `recover_at` was set when the channel was enqueued and moves only if that moment is too near. `armedBy` names this transaction.
 */
export async function armChannels(tx: Tx, refs: readonly ChannelRef[], armedBy: string | null = null): Promise<ChannelToSend[]> {
  const { rows } = await sql<ChannelToSend>`
    update part c
    set state = ${endOf('arm')},
      submitted_at = now(),
      armed_by = ${armedBy}::uuid,
      recover_at = case when c.recover_at < now() + interval '20 seconds' then now() + interval '60 seconds' else c.recover_at end,
      armed_at = coalesce(c.armed_at, now()),
      attempts = c.attempts + 1,
      tries = c.tries + 1,
      waiting_reason = null,
      late_ms = least(2147483647, greatest(0, extract(epoch from now() - c.due_at) * 1000))::int
    from ${channelRefRows(refs)}
    where ${isCurrent} and ${mayStart('arm')} and c.dispatch_at <= clock_timestamp() and ${openEpoch} is not null
    returning ${channelColumns}`.execute(tx)
  return rows
}

export type ArmedBy = ChannelToSend & { armed_by: string }

/** Those of these channels whose guard was set by one of these transactions. */
export async function findArmedBy(tx: Tx, refs: readonly ChannelRef[], armedBy: readonly string[]): Promise<ArmedBy[]> {
  const { rows } = await sql<ArmedBy>`
    select ${channelColumns}, c.armed_by
    from part c, ${channelRefRows(refs)}
    where ${isCurrent} and c.state = ${endOf('arm')} and c.armed_by = any(${[...armedBy]}::uuid[])`.execute(tx)
  return rows
}

type CurrentRef = ChannelRef & {
  state: string
  /** Until its time, by the database's clock: that of this process may differ. */
  waitMs: number
}

/** Those of these channels that have not moved on to a later generation, with their state. */
export async function findChannelRefs(db: Db | Tx, refs: readonly ChannelRef[]): Promise<CurrentRef[]> {
  const { rows } = await sql<ChannelRefRow & { state: string; wait_ms: number | null }>`
    select c.workspace_id, c.id, c.generation, t.epoch, c.state,
      (extract(epoch from c.dispatch_at - clock_timestamp()) * 1000)::float8 as wait_ms
    from part c, ${channelRefRows(refs)}
    where ${isCurrent}`.execute(db)
  return rows.map((row) => ({ ...refOf(row), state: row.state, waitMs: Math.ceil(row.wait_ms ?? 0) }))
}

/**
 * The channels with their posts and connections; `lost` are those whose connection is gone. A connection that was disconnected while channels
 * of it were being sent stays for a while, so that the platform can be asked about them; nothing new is sent through it.
 */
export async function loadAround(
  db: Db | Tx,
  channels: readonly ChannelToSend[],
  { withDisconnected = false }: { withDisconnected?: boolean } = {},
): Promise<{ loaded: LoadedChannel[]; lost: ChannelToSend[] }> {
  const keys = (pick: (channel: ChannelToSend) => string) => sql`
    (select * from unnest(${idArray(channels, (c) => c.workspace_id)}::text[], ${idArray(channels, pick)}::text[]))`
  const [posts, connections] = await Promise.all([
    sql<LoadedChannel['post']>`
      select ${postColumns} from post where (workspace_id, id) in ${keys((c) => c.post_id)}`.execute(db),
    sql<LoadedChannel['connection']>`
      select ${connectionColumns} from connection where (workspace_id, id) in ${keys((c) => c.connection_id)}`.execute(db),
  ])
  const nameOf = (row: { workspace_id: string; id: string }) => `${row.workspace_id}/${row.id}`
  const postBy = new Map(posts.rows.map((row) => [nameOf(row), row]))
  const connectionBy = new Map(connections.rows.map((row) => [nameOf(row), row]))
  const loaded: LoadedChannel[] = []
  const lost: ChannelToSend[] = []
  for (const channel of channels) {
    const post = postBy.get(`${channel.workspace_id}/${channel.post_id}`)
    const connection = connectionBy.get(`${channel.workspace_id}/${channel.connection_id}`)
    const isUsable = connection && (withDisconnected || connection.status !== 'disconnected')
    if (post && isUsable) loaded.push({ channel, post, connection })
    else lost.push(channel)
  }
  return { loaded, lost }
}

/** The channel with its post and connection. `lost` is the channel alone when its connection is gone. */
export async function loadChannel(
  db: Db | Tx,
  ref: ChannelRef,
  { states, withDisconnected = false }: { states: readonly string[]; withDisconnected?: boolean },
): Promise<{ loaded?: LoadedChannel; lost?: ChannelToSend }> {
  const { rows } = await sql<ChannelToSend>`
    select ${channelColumns}
    from part c, ${channelRefRows([ref])}
    where ${isCurrent} and c.state = any(${[...states]})`.execute(db)
  const { loaded, lost } = await loadAround(db, rows, { withDisconnected })
  return { ...(loaded[0] && { loaded: loaded[0] }), ...(lost[0] && { lost: lost[0] }) }
}

/** As many as this are compared with one post. An account that has more on the way at one moment says the same words in few of them. */
const othersMax = 50

/** Other channels that are being sent to the account of this one, of any workspace and connection, the newest first. */
export async function loadOthersOfAccount(system: Db, { channel, connection }: LoadedChannel): Promise<LoadedChannel[]> {
  const { rows } = await sql<ChannelToSend>`
    select ${channelColumns}
    from connection k
    join part c on c.workspace_id = k.workspace_id and c.connection_id = k.id
    where k.platform = ${connection.platform} and k.account_id = ${connection.account_id}
      and k.instance_url is not distinct from ${connection.instance_url}
      and c.state in ('submitting', 'confirming') and c.finished_at is null
      and (c.workspace_id, c.id) <> (${channel.workspace_id}, ${channel.id})
    order by c.submitted_at desc
    limit ${othersMax}`.execute(system)
  return (await loadAround(system, rows, { withDisconnected: true })).loaded
}

/** Marks posts as `publishing` when their first channel is being sent, and returns those that became so. */
export async function markPublishing(
  tx: Tx,
  posts: readonly LoadedChannel['post'][],
): Promise<{ workspaceId: string; postId: string }[]> {
  const { rows } = await sql<{ workspaceId: string; postId: string }>`
    update post p
    set status = 'publishing', updated_at = now()
    from (
      select p2.workspace_id, p2.id
      from post p2
      join unnest(${idArray(posts, (p) => p.workspace_id)}::text[], ${idArray(posts, (p) => p.id)}::text[]) as t (workspace_id, id)
        on p2.workspace_id = t.workspace_id and p2.id = t.id
      where p2.status in ('queued', 'scheduled')
      order by p2.workspace_id, p2.id
      for update of p2
    ) as w
    where p.workspace_id = w.workspace_id and p.id = w.id
    returning p.workspace_id as "workspaceId", p.id as "postId"`.execute(tx)
  return rows
}

type Disarmed = { channel: ChannelToSend; untilMs: number; reason: WaitingReason }

/** Armed, but a rate limit is used up or the server is down: back to the schedule, as if it had not been tried, with the reason. */
export async function disarm(tx: Tx, waiting: readonly Disarmed[]): Promise<void> {
  if (waiting.length === 0) return
  await sql`
    update part c
    set state = ${endOf('disarm')}, prepared = false, recover_at = null, dispatch_at = t.until, waiting_reason = t.reason,
      attempts = c.attempts - 1, tries = c.tries - 1, generation = c.generation + 1
    from unnest(
      ${waiting.map(({ channel }) => channel.workspace_id)}::text[],
      ${waiting.map(({ channel }) => channel.id)}::text[],
      ${waiting.map(({ untilMs }) => new Date(untilMs))}::timestamptz[],
      ${waiting.map(({ reason }) => reason)}::text[]
    ) as t (workspace_id, id, until, reason)
    where c.workspace_id = t.workspace_id and c.id = t.id and ${mayStart('disarm')}`.execute(tx)
}

type PostRef = { workspace_id: string; id: string }

// Later than its workspace accepts, or a post of a series whose next date has come too: after an outage, only the latest goes out.
const isTooLate = sql`(
  (w.hold_if_late_minutes is not null and c.due_at < now() - make_interval(mins => w.hold_if_late_minutes))
  or exists (
    select
    from series_date s
    where s.workspace_id = c.workspace_id and s.post_id = c.post_id and s.next_at <= now() and s.next_at > c.due_at
  )
)`

/** The posts of these channels that are later than their workspaces or their series accept. */
export async function findLatePosts(system: Db, refs: readonly ChannelRef[]): Promise<PostRef[]> {
  const { rows } = await sql<PostRef>`
    select distinct p.workspace_id, p.id
    from ${channelRefRows(refs)}
    join channel c on ${isCurrent}
    join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
    join workspace w on w.id = p.workspace_id
    where ${isTooLate}
    order by p.workspace_id, p.id`.execute(system)
  return rows
}

/** Returns a late post to draft unless one of its channels may have been sent. Gives the ids of the channels that went with it. */
export async function holdPost(tx: Tx, { workspace_id, id }: PostRef): Promise<string[]> {
  const { rows: locked } = await sql`
    select 1
    from post p
    where p.workspace_id = ${workspace_id} and p.id = ${id} and p.status in ('scheduled', 'queued', 'publishing')
    for update of p`.execute(tx)
  if (locked.length === 0) return []
  const { rows: siblings } = await sql<{ id: string; may_be_sent: boolean; may_hold: boolean; is_late: boolean }>`
    select c.id,
      c.state in ('submitting', 'confirming', 'published', 'unconfirmed') as may_be_sent,
      ${mayStart('hold')} as may_hold,
      ${mayStart('hold')} and ${isTooLate} as is_late
    from channel c
    join workspace w on w.id = c.workspace_id
    where c.workspace_id = ${workspace_id} and c.post_id = ${id}
    order by c.id
    for update of c`.execute(tx)
  if (siblings.some(({ may_be_sent }) => may_be_sent) || !siblings.some(({ is_late }) => is_late)) return []
  const ids = siblings.filter(({ may_hold }) => may_hold).map((sibling) => sibling.id)
  await sql`
    update channel c
    set state = ${endOf('hold')}, dispatch_at = null, due_at = null, recover_at = null, not_before = null, waiting_reason = null,
      generation = c.generation + 1, late_ms = null, attempts = 0, tries = 0, refusals = 0, armed_at = null, error = null
    where c.workspace_id = ${workspace_id} and c.post_id = ${id} and c.id = any(${ids})`.execute(tx)
  await sql`
    update post p
    set status = 'draft',
      updated_at = now(),
      warnings = p.warnings || jsonb_build_array(
        'Held: it was due at ' || to_char(coalesce(p.scheduled_at, p.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC and could not go out in time.')
    where p.workspace_id = ${workspace_id} and p.id = ${id}`.execute(tx)
  return ids
}
