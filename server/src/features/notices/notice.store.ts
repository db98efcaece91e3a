import type { NoticeGroup, NoticeKind, NoticeMail } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { waitingPosts } from './tell.store.ts'

type Reader = { workspaceId: string; personId: string; kinds: readonly NoticeKind[] }

export type ReadNotice = {
  id: string
  kind: NoticeKind
  count: number
  code: string | null
  connectionId: string | null
  slug: string | null
  handle: string | null
  platform: string | null
  expiresAt: Date | null
  postId: string | null
  personId: string | null
  person: string | null
  waiting: number
  isRead: boolean
  resolvedAt: Date | null
  firstAt: Date
  lastAt: Date
}

const listMax = 100
const unreadMax = 1000

/** The newest notices of this person. `kinds` are those that their role is told of. */
export async function listNotices(tx: Tx, { workspaceId, personId, kinds }: Reader): Promise<ReadNotice[]> {
  const { rows } = await sql<ReadNotice>`
    select
      n.id, n.kind, n.count, n.code, n.connection_id as "connectionId",
      k.slug, k.handle, k.platform, k.token_expires_at as "expiresAt",
      n.post_id as "postId", n.person_id as "personId", p.name as person,
      ${waitingPosts} as waiting,
      r.read_at is not null as "isRead",
      n.resolved_at as "resolvedAt", n.first_at as "firstAt", n.last_at as "lastAt"
    from notice_person r
    join notice n on n.workspace_id = r.workspace_id and n.id = r.notice_id
    left join connection k on k.workspace_id = n.workspace_id and k.id = n.connection_id
    left join person p on p.id = n.person_id
    where r.workspace_id = ${workspaceId} and r.person_id = ${personId} and n.kind = any(${[...kinds]}::text[])
    order by n.last_at desc, n.id desc
    limit ${listMax}`.execute(tx)
  return rows
}

export async function countUnread(tx: Tx, { workspaceId, personId, kinds }: Reader): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread
    from (
      select 1
      from notice_person r
      join notice n on n.workspace_id = r.workspace_id and n.id = r.notice_id
      where r.workspace_id = ${workspaceId} and r.person_id = ${personId} and r.read_at is null
        and n.resolved_at is null and n.kind = any(${[...kinds]}::text[])
      limit ${unreadMax}
    ) as counted`.execute(tx)
  return rows[0]?.unread ?? 0
}

/** `ids` null: all of theirs. */
export async function markNoticesRead(
  tx: Tx,
  { workspaceId, personId, ids, at }: { workspaceId: string; personId: string; ids: readonly string[] | null; at: Date },
): Promise<void> {
  let query = tx
    .updateTable('notice_person')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('read_at', 'is', null)
  if (ids) query = query.where('notice_id', 'in', ids.length > 0 ? [...ids] : [''])
  await query.set({ read_at: at }).execute()
}

export type StoredSettings = Record<NoticeGroup, NoticeMail | null> & { digestHour: number | null; timezone: string | null }

/** A person belongs to no workspace. Their own zone, or that of their oldest workspace, holds where they chose none for this. */
export async function loadSettings(system: Tx, personId: string): Promise<StoredSettings> {
  const { rows } = await sql<StoredSettings>`
    select
      s.failures, s.connections, s.approvals, s.digest_hour as "digestHour",
      coalesce(s.timezone, p.timezone, (
        select w.timezone from member m join workspace w on w.id = m.workspace_id
        where m.person_id = p.id order by m.joined_at, w.id limit 1
      )) as timezone
    from person p
    left join notice_setting s on s.person_id = p.id
    where p.id = ${personId}`.execute(system)
  return rows[0] ?? { failures: null, connections: null, approvals: null, digestHour: null, timezone: null }
}

type SettingChange = Partial<Record<NoticeGroup, NoticeMail>> & { digest_hour?: number; timezone?: string; digested_at?: Date }

export async function saveSettings(system: Db | Tx, personId: string, change: SettingChange): Promise<void> {
  await system
    .insertInto('notice_setting')
    .values({ person_id: personId, ...change })
    .onConflict((conflict) =>
      Object.keys(change).length === 0 ? conflict.doNothing() : conflict.column('person_id').doUpdateSet(change),
    )
    .execute()
}
