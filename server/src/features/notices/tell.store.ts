import type { NoticeGroup, NoticeMail, Role } from '@carillon/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { ToldNotice } from './notice-words.ts'

const waitingMax = 1000

/** Posts that wait for the account of the notice `n`. Only where an account must be connected is it of use. */
export const waitingPosts: RawBuilder<number> = sql<number>`
  case when n.resolved_at is null and n.kind in ('needs_reconnect', 'expiring') then (
    select count(*)
    from (
      select 1
      from part p
      where p.workspace_id = n.workspace_id and p.connection_id = n.connection_id and p.state = 'scheduled' and p.number = 0
      limit ${waitingMax}
    ) as waiting
  )::int else 0 end`

const toldColumns = sql`
  n.workspace_id as "workspaceId",
  w.name as workspace,
  n.id,
  n.kind,
  n.event,
  n.count,
  n.code,
  n.connection_id as "connectionId",
  k.slug as account,
  k.status_reason as "statusReason",
  n.post_id as "postId",
  p.name as person,
  ${waitingPosts} as waiting,
  k.token_expires_at as "expiresAt",
  n.first_at as "firstAt",
  n.told`

const toldTables = sql`
  join workspace w on w.id = n.workspace_id
  left join connection k on k.workspace_id = n.workspace_id and k.id = n.connection_id
  left join person p on p.id = n.person_id`

/** Across workspaces: notices that are to be told now, or told again. Locked until the transaction ends. */
export async function lockDueNotices(tx: Tx, now: Date, limit: number): Promise<ToldNotice[]> {
  const { rows } = await sql<ToldNotice>`
    select ${toldColumns}
    from (select * from notice where tell_at <= ${now} order by tell_at limit ${limit} for update skip locked) n
    ${toldTables}
    order by n.first_at, n.id`.execute(tx)
  return rows
}

type NoticeKey = { workspaceId: string; id: string }

export async function markTold(tx: Tx, { workspaceId, id }: NoticeKey, nextAt: Date | null): Promise<void> {
  await sql`
    update notice
    set tell_at = ${nextAt}, told = told + 1
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** A reminder is told like a new notice. */
export async function tellAgain(tx: Tx, { workspaceId, id }: NoticeKey): Promise<void> {
  await tx
    .updateTable('notice_person')
    .where('workspace_id', '=', workspaceId)
    .where('notice_id', '=', id)
    .set({ read_at: null, mail: 'waits', mail_from: null })
    .execute()
}

export type Recipient = {
  workspaceId: string
  noticeId: string
  personId: string
  email: string
  role: Role
  settings: Record<NoticeGroup, NoticeMail | null>
}

/** Who is to be mailed about these notices, with their role at this moment. */
export async function findRecipients(tx: Tx, keys: readonly NoticeKey[]): Promise<Recipient[]> {
  const { rows } = await sql<Omit<Recipient, 'settings'> & Record<NoticeGroup, NoticeMail | null>>`
    select
      r.workspace_id as "workspaceId", r.notice_id as "noticeId", r.person_id as "personId", p.email, m.role,
      s.failures, s.connections, s.approvals
    from unnest(${keys.map(({ workspaceId }) => workspaceId)}::text[], ${keys.map(({ id }) => id)}::text[]) as t (workspace_id, id)
    join notice_person r on r.workspace_id = t.workspace_id and r.notice_id = t.id and r.mail = 'waits'
    join member m on m.workspace_id = r.workspace_id and m.person_id = r.person_id
    join person p on p.id = r.person_id
    left join notice_setting s on s.person_id = r.person_id
    order by r.person_id`.execute(tx)
  return rows.map(({ failures, connections, approvals, ...row }) => ({ ...row, settings: { failures, connections, approvals } }))
}

type Mailed = { workspaceId: string; noticeId: string; personId: string }

/** `from`: since when a digest has it. */
export async function settleMails(
  tx: Tx,
  mailed: readonly Mailed[],
  { mail, from }: { mail: 'digest' | 'done'; from: Date | null },
): Promise<void> {
  if (mailed.length === 0) return
  await sql`
    update notice_person r
    set mail = ${mail}, mail_from = ${from}
    from unnest(
      ${mailed.map(({ workspaceId }) => workspaceId)}::text[],
      ${mailed.map(({ noticeId }) => noticeId)}::text[],
      ${mailed.map(({ personId }) => personId)}::text[]
    ) as t (workspace_id, notice_id, person_id)
    where r.workspace_id = t.workspace_id and r.notice_id = t.notice_id and r.person_id = t.person_id`.execute(tx)
}

export type DigestReader = {
  personId: string
  email: string
  hour: number | null
  timezone: string | null
  digestedAt: Date | null
  /** Since when the oldest of their notices waits for a digest. */
  waitsSince: Date
}

/** People for whom something waits, the longest first after `afterId`. Not all of them are due. */
export async function findDigestReaders(system: Db | Tx, limit: number): Promise<DigestReader[]> {
  const { rows } = await sql<DigestReader>`
    select
      p.id as "personId",
      p.email,
      s.digest_hour as hour,
      coalesce(s.timezone, p.timezone, (
        select w.timezone from member m join workspace w on w.id = m.workspace_id
        where m.person_id = p.id order by m.joined_at, w.id limit 1
      )) as timezone,
      s.digested_at as "digestedAt",
      d.since as "waitsSince"
    from (
      select person_id, min(mail_from) as since from notice_person where mail = 'digest' group by person_id
      order by since limit ${limit}
    ) d
    join person p on p.id = d.person_id
    left join notice_setting s on s.person_id = p.id`.execute(system)
  return rows
}

export type DigestNotice = ToldNotice & { role: Role; isRead: boolean; isResolved: boolean; isOff: boolean }

/** What waits for a digest of this person. */
export async function lockDigest(tx: Tx, personId: string): Promise<DigestNotice[]> {
  const { rows } = await sql<DigestNotice>`
    select ${toldColumns}, m.role, r.read_at is not null as "isRead", n.resolved_at is not null as "isResolved"
    from (select * from notice_person where person_id = ${personId} and mail = 'digest' for update) r
    join notice n on n.workspace_id = r.workspace_id and n.id = r.notice_id
    join member m on m.workspace_id = r.workspace_id and m.person_id = r.person_id
    ${toldTables}
    order by w.name, w.id, n.first_at`.execute(tx)
  return rows
}

/** False if another process has sent it since. */
export async function claimDigest(tx: Tx, personId: string, { dueAt, now }: { dueAt: Date; now: Date }): Promise<boolean> {
  const { rows } = await sql`
    insert into notice_setting (person_id, digested_at) values (${personId}, ${now})
    on conflict (person_id) do update set digested_at = excluded.digested_at
    where notice_setting.digested_at is null or notice_setting.digested_at < ${dueAt}
    returning 1`.execute(tx)
  return rows.length > 0
}
