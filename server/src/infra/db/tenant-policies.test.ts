import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await startDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    insert into workspace values ('w', 'W', 'w', 'free', 'UTC', null, now(), now());
    insert into audit_entry values ('w', gen_random_uuid(), now(), null, null, 'post.create', null, 't')`)
})

afterAll(async () => {
  await client.end()
  await database.stop()
})

const tenantTables = `
  select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind in ('r', 'p')`

async function namesOf(sql: string): Promise<string[]> {
  const { rows } = await client.query<{ relname: string }>(`select relname from (${sql}) found order by relname`)
  return rows.map((row) => row.relname)
}

test('guarantee: no table with a workspace_id shows one workspace to another', async () => {
  expect(await namesOf(tenantTables)).toContain('connect_flow')
  const open = `
    select relname from (${tenantTables}) t
    where not (relrowsecurity and relforcerowsecurity)
      or not exists (select from pg_policy p where p.polrelid = t.oid and p.polcmd = '*' and p.polroles = array['carillon_app'::regrole::oid]
        and pg_get_expr(p.polqual, t.oid) like '%workspace_id = current_setting(%'
        and pg_get_expr(p.polwithcheck, t.oid) like '%workspace_id = current_setting(%')
      or exists (select from pg_policy p where p.polrelid = t.oid and p.polpermissive and ('carillon_app'::regrole::oid = any(p.polroles) or 0 = any(p.polroles))
        and coalesce(pg_get_expr(p.polqual, t.oid), 'true') not like '%workspace_id = current_setting(%')`
  expect(await namesOf(open)).toEqual([])
})

/** Otherwise it shows what its owner may read, and that is everything. */
test('guarantee: a view shows what the role that reads it may read', async () => {
  const views = `select relname, reloptions from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`
  expect(await namesOf(views)).toContain('channel')
  const open = `select relname from (${views}) v where not coalesce('security_invoker=true' = any(v.reloptions), false)`
  expect(await namesOf(open)).toEqual([])
})

test('guarantee: without a workspace no row is visible', async () => {
  const readable = `select relname from pg_class where oid in (select oid from (${tenantTables}) t union select 'workspace'::regclass)
    and has_table_privilege('carillon_app', oid, 'select')`
  const names = await namesOf(readable)
  await client.query('begin; set local role carillon_app')
  const seen = []
  for (const name of names) seen.push((await client.query(`select from ${name}`)).rowCount)
  await client.query('rollback')
  expect(names).toEqual(expect.arrayContaining(['audit_entry', 'post', 'workspace']))
  expect(new Set(seen)).toEqual(new Set([0]))
})

test('guarantee: deleting a workspace deletes its rows in every table', async () => {
  // The first two are cleared by steps of eraseWorkspace; the third is the list of files still to be removed from the store.
  const keptByItself = ['audit_entry', 'outbox_event', 'storage_removal']
  const left = `
    with recursive gone as (
      select 'workspace'::regclass::oid as oid
      union
      select f.conrelid from pg_constraint f join gone on f.confrelid = gone.oid where f.contype = 'f' and f.confdeltype = 'c')
    select relname from (${tenantTables}) t where oid not in (select oid from gone) and relname <> all(array['${keptByItself.join("','")}'])
      and oid not in (select inhrelid from pg_inherits)`
  expect(await namesOf(left)).toEqual([])
})

test('guarantee: the audit log of an existing workspace can only grow', async () => {
  const asApp = async (sql: string) => {
    await client.query(`begin; set local role carillon_app; set local carillon.workspace = 'w'`)
    const result = await client.query(sql).then(
      () => 'done',
      (error: Error) => error.message,
    )
    await client.query('rollback')
    return result
  }
  expect(await asApp('delete from audit_entry')).toContain('permission denied')
  expect(await asApp(`update audit_entry set action = 'x'`)).toContain('permission denied')
  expect(await asApp(`select erase_audit('w')`)).toContain('still there')
  expect(await asApp(`delete from workspace; select erase_audit('w')`)).toBe('done')
  expect(await asApp(`select erase_audit('another')`)).toContain('or another one')
})
