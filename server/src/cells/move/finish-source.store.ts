import type pg from 'pg'
import { transact } from './move-client.store.ts'
import { auditTables } from './moved-tables.data.ts'

/** Audit entries that were written while the workspace was on its way follow it. */
export async function copyLateEntries(source: pg.Client, target: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await source.query<{ value: string }>(
    `select t::text as value
     from audit_entry t
     where workspace_id = $1 and id not in (
       select r.id from workspace_parcel p cross join lateral unnest(p.rows::audit_entry[]) as r
       where p.id = $1 and p.table_name = 'audit_entry')`,
    [workspaceId],
  )
  if (rows.length > 0)
    await target.query('insert into audit_entry select r.* from unnest($1::audit_entry[]) as r on conflict do nothing', [
      rows.map(({ value }) => value),
    ])
  return rows.length
}

/** Signs out the members who have no other workspace here, so that they notice that theirs is in another cell. */
export async function endSessions(source: pg.Client, workspaceId: string): Promise<void> {
  await source.query(
    `delete from session s
     using workspace_parcel p cross join lateral unnest(p.rows::member[]) as r
     where p.id = $1 and p.table_name = 'member' and s.person_id = r.person_id
       and not exists (select from member m where m.person_id = s.person_id)`,
    [workspaceId],
  )
}

/** Deletes what the target has now. Only the owner of the tables may delete entries of an audit log. */
export async function deleteLeftovers(owner: pg.Client, workspaceId: string): Promise<void> {
  await transact(owner, async () => {
    await owner.query('delete from audit_pending where chain = $1', [workspaceId])
    for (const { name, key } of auditTables.toReversed())
      await owner.query(`delete from ${name} where ${key} = $1`, [workspaceId])
    await owner.query('delete from workspace_parcel where id = $1', [workspaceId])
  })
}

export async function hasParcels(client: pg.Client, workspaceId: string): Promise<boolean> {
  const { rows } = await client.query('select from workspace_parcel where id = $1 limit 1', [workspaceId])
  return rows.length > 0
}
