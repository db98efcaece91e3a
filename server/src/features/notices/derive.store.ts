import type { ChannelErrorCode, EventName, Role } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'

// Across workspaces: one process reads the log of all of them.

/** Up to where the log was read. Undefined while another process reads it. */
export async function lockPosition(tx: Tx): Promise<string | undefined> {
  const row = await tx.selectFrom('notice_position').select('event_id').forUpdate().skipLocked().executeTakeFirst()
  return row?.event_id
}

export async function movePosition(tx: Tx, eventId: string): Promise<void> {
  await tx.updateTable('notice_position').set({ event_id: eventId }).execute()
}

export type LoggedFact = {
  workspaceId: string
  id: string
  event: EventName
  at: Date
  postId: string | null
  channelId: string | null
  connectionId: string | null
  /** Of the channel as it is now: a retry may have begun since. */
  state: string | null
  code: ChannelErrorCode | null
  /** When the token of the account ends, in seconds. */
  endsAt: string | null
  /** Who submitted the post, and who decided about it. */
  submitter: string | null
  decider: string | null
}

/** The next events, oldest first, without those that have a notice already: a workspace that moved brings its log along. */
export async function findNextEvents(
  tx: Tx,
  after: string,
  limit: number,
): Promise<{ facts: LoggedFact[]; last: string | null }> {
  const { rows } = await sql<LoggedFact & { isKnown: boolean }>`
    select
      e.workspace_id as "workspaceId",
      e.id,
      e.event,
      e.at,
      e.post_id as "postId",
      e.channel_id as "channelId",
      coalesce(e.connection_id, c.connection_id) as "connectionId",
      c.state,
      c.error ->> 'code' as code,
      extract(epoch from k.token_expires_at)::bigint::text as "endsAt",
      submitted.person_id as submitter,
      decided.person_id as decider,
      i.event_id is not null as "isKnown"
    from (select * from event_log where id > ${after}::bigint order by id limit ${limit}) e
    left join notice_item i on i.workspace_id = e.workspace_id and i.event_id = e.id
    left join channel c on c.workspace_id = e.workspace_id and c.id = e.channel_id
    left join connection k on k.workspace_id = e.workspace_id and k.id = coalesce(e.connection_id, c.connection_id)
    left join lateral (
      select a.person_id
      from approval_event a
      where e.event like 'content.%' and a.workspace_id = e.workspace_id and a.post_id = e.post_id and a.action = 'submitted'
      order by a.id desc
      limit 1
    ) submitted on true
    left join lateral (
      select a.person_id
      from approval_event a
      where e.event like 'content.%' and a.workspace_id = e.workspace_id and a.post_id = e.post_id
        and a.action in ('approved', 'changes_requested')
      order by a.id desc
      limit 1
    ) decided on true
    order by e.id`.execute(tx)
  return { facts: rows.filter(({ isKnown }) => !isKnown), last: rows.at(-1)?.id ?? null }
}

/** Which of these events a chat wants to be told of: events that no person is told of make a notice only then. */
export async function findChatEvents(tx: Tx, workspaceIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ workspaceId: string; event: string }>`
    select distinct w.workspace_id as "workspaceId", e.event
    from webhook w
    cross join unnest(w.chat_events) as e (event)
    where w.workspace_id = any(${[...workspaceIds]}::text[]) and w.active and w.format <> 'json'`.execute(tx)
  return new Set(rows.map(({ workspaceId, event }) => `${workspaceId} ${event}`))
}

export type Cause = { workspaceId: string; cause: string }
export type OpenNotice = { id: string; firstAt: Date; started: string }

/** The newest notice with this cause that takes further events: one that began after `since`, or that is not resolved. */
export async function findOpenNotice(tx: Tx, { workspaceId, cause }: Cause, since: Date | null): Promise<OpenNotice | undefined> {
  let query = tx
    .selectFrom('notice')
    .where('workspace_id', '=', workspaceId)
    .where('cause', '=', cause)
    .where('resolved_at', 'is', null)
  if (since) query = query.where('first_at', '>', since)
  return query.select(['id', 'first_at as firstAt', 'started']).orderBy('started', 'desc').limit(1).executeTakeFirst()
}

export type NewNotice = Cause & {
  id: string
  kind: string
  event: EventName | null
  started: string
  connectionId: string | null
  postId: string | null
  personId: string | null
  code: string | null
  firstAt: Date
  tellAt: Date
}

/** Returns the id of the notice of this cause, also if there is one already. */
export async function insertNotice(tx: Tx, { workspaceId, ...made }: NewNotice): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into notice (
      workspace_id, id, kind, event, cause, started, connection_id, post_id, person_id, code, count, first_at, last_at, tell_at
    )
    values (
      ${workspaceId}, ${made.id}, ${made.kind}, ${made.event}, ${made.cause}, ${made.started}::bigint, ${made.connectionId},
      ${made.postId}, ${made.personId}, ${made.code}, 1, ${made.firstAt}, ${made.firstAt}, ${made.tellAt}
    )
    on conflict (workspace_id, cause, started) do update set count = notice.count
    returning id`.execute(tx)
  return rows[0]?.id ?? made.id
}

type Items = { workspaceId: string; noticeId: string; events: readonly { id: string; subject: string; at: Date }[] }

/** Counts these events, each once. The notice is unread again if one of them was new. */
export async function addItems(tx: Tx, { workspaceId, noticeId, events }: Items): Promise<void> {
  // Telling locks the notice before its people too.
  await sql`select from notice where workspace_id = ${workspaceId} and id = ${noticeId} for update`.execute(tx)
  await sql`
    with added as (
      insert into notice_item (workspace_id, event_id, notice_id, subject)
      select ${workspaceId}, t.id, ${noticeId}, t.subject
      from unnest(${events.map(({ id }) => id)}::bigint[], ${events.map(({ subject }) => subject)}::text[]) as t (id, subject)
      on conflict do nothing
      returning event_id
    ), unread as (
      update notice_person
      set read_at = null
      where workspace_id = ${workspaceId} and notice_id = ${noticeId} and exists (select from added)
    )
    select from added`.execute(tx)
  await sql`
    update notice n
    set
      count = greatest(1, (
        select count(distinct i.subject) from notice_item i where i.workspace_id = n.workspace_id and i.notice_id = n.id
      )),
      last_at = greatest(n.last_at, ${events.at(-1)?.at ?? new Date(0)}),
      -- Of several posts none is the one that it is about.
      post_id = case when (
        select count(distinct i.subject) from notice_item i where i.workspace_id = n.workspace_id and i.notice_id = n.id
      ) > 1 then null else n.post_id end
    where n.workspace_id = ${workspaceId} and n.id = ${noticeId}`.execute(tx)
}

type Audience = { workspaceId: string; noticeId: string; roles: readonly Role[]; only: string | null; except: string | null }

/** Everybody in the workspace with one of these roles is told, or one person of them. */
export async function addPeople(tx: Tx, { workspaceId, noticeId, roles, only, except }: Audience): Promise<void> {
  await sql`
    insert into notice_person (workspace_id, notice_id, person_id)
    select m.workspace_id, ${noticeId}, m.person_id
    from member m
    where m.workspace_id = ${workspaceId}
      and m.role = any(${[...roles]}::text[])
      and (${only}::text is null or m.person_id = ${only})
      and m.person_id is distinct from ${except}
    on conflict do nothing`.execute(tx)
}

/** Connections that work again, and whose token does not end any more. Returns the workspaces in which a notice was resolved. */
export async function resolveConnections(tx: Tx, at: Date): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    update notice n
    set resolved_at = ${at}, tell_at = null
    where n.kind in ('needs_reconnect', 'expiring')
      and n.resolved_at is null
      and not exists (
        select from connection k
        where k.workspace_id = n.workspace_id
          and k.id = n.connection_id
          and case n.kind
            when 'needs_reconnect' then k.status = 'needs_reconnect'
            else k.status in ('active', 'expiring') and n.cause = 'expiring ' || k.id || ' ' || extract(epoch from k.token_expires_at)::bigint
          end
      )
    returning n.workspace_id as "workspaceId"`.execute(tx)
  return rows.map(({ workspaceId }) => workspaceId)
}

export type LatePosts = { workspaceId: string; postId: string; posts: number }

const lateMax = 1000

/** Workspaces with channels that nobody has begun to send this long after their time. What waits for a reason has a later time. */
export async function findLatePosts(tx: Tx | Db, before: Date): Promise<LatePosts[]> {
  const { rows } = await sql<LatePosts>`
    select workspace_id as "workspaceId", min(post_id) as "postId", count(distinct post_id)::int as posts
    from (select workspace_id, post_id from part where wake_at < ${before} order by wake_at limit ${lateMax}) as late
    group by workspace_id`.execute(tx)
  return rows
}

export async function resolveLate(tx: Tx, { except, at }: { except: readonly string[]; at: Date }): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    update notice
    set resolved_at = ${at}, tell_at = null
    where kind = 'posts_late' and resolved_at is null and workspace_id <> all(${[...except]}::text[])
    returning workspace_id as "workspaceId"`.execute(tx)
  return rows.map(({ workspaceId }) => workspaceId)
}

export async function updateLate(
  tx: Tx,
  { workspaceId, id, posts, at }: { workspaceId: string; id: string; posts: number; at: Date },
) {
  await tx
    .updateTable('notice')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ count: posts, last_at: at })
    .execute()
}

const keptDays = 90

/** Deletes what nobody was told of for so long. */
export async function deleteOldRows(system: Db, now: Date): Promise<void> {
  await sql`
    delete from notice
    where (workspace_id, id) in (
      select workspace_id, id from notice
      where last_at < ${now}::timestamptz - make_interval(days => ${keptDays}) order by last_at limit 1000
    )`.execute(system)
}
