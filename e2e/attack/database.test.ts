import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { queryDatabase } from '../support/query-database.ts'
import { otherTenant, testStack } from '../test-stack.ts'

/**
 * An attacker who can run SQL with the login of requests. The service used to log in as the owner of the tables and to set a role:
 * `set role none` gave all rights back.
 */
let appUrl = ''
let systemUrl = ''
beforeAll(async () => {
  const [app, system] = await queryDatabase<{ name: string }>(
    `select rolname as name from pg_roles where rolname ~ '^carillon_(app|system)_' order by 1`,
  )
  const urlOf = (user: string) => Object.assign(new URL(testStack.databaseUrl), { username: user }).href
  appUrl = urlOf(app?.name ?? '')
  systemUrl = urlOf(system?.name ?? '')
  await otherTenant.workspaces.update(testStack.otherWorkspaceId, { name: 'Other' })
})

/** The rows of the last statement, or the message with which PostgreSQL refuses. */
async function attempt(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return [await client.query(text)].flat().at(-1)?.rows
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end()
  }
}

test('the service has no connection as the owner of the tables', async () => {
  const rows = await queryDatabase(`
    select usename from pg_stat_activity
    where datname = current_database() and application_name ~ '^(carillon_|listen )' and usename !~ '^carillon_(app|system)_'`)
  expect(rows).toEqual([])
})

describe('with the login of requests', () => {
  const inOwn = (text: string) => attempt(appUrl, `set carillon.workspace = '${testStack.workspaceId}'; ${text}`)

  test('rows of another tenant cannot be seen or written', async () => {
    for (const table of [
      'workspace',
      'member',
      'post',
      'part',
      'channel',
      'connection',
      'audit_entry',
      'api_key',
      'webhook',
      'media',
    ]) {
      const other = `${table === 'workspace' ? 'id' : 'workspace_id'} <> '${testStack.workspaceId}'`
      expect([table, await inOwn(`select count(*)::int as seen from ${table} where ${other}`)]).toEqual([table, [{ seen: 0 }]])
      expect([table, await attempt(appUrl, `select count(*)::int as seen from ${table}`)]).toEqual([table, [{ seen: 0 }]])
    }
    // There is something to see.
    const [counts] = await queryDatabase<{ keys: number; entries: number }>(
      `select (select count(*)::int from api_key where workspace_id = $1) as keys,
         (select count(*)::int from audit_entry where workspace_id = $1) as entries`,
      [testStack.otherWorkspaceId],
    )
    expect(Math.min(counts?.keys ?? 0, counts?.entries ?? 0)).toBeGreaterThan(0)
    const forged = `insert into audit_entry values ('${testStack.otherWorkspaceId}', gen_random_uuid(), now(), null, null, 'forged', null, 't')`
    expect(await inOwn(forged)).toContain('violates row-level security policy')
  })

  test('people of other workspaces cannot be seen', async () => {
    const emails = await inOwn('select email from person')
    expect(emails).toContainEqual({ email: 'demo@example.com' })
    expect(emails).not.toContainEqual({ email: 'other@example.com' })
    for (const table of ['session', 'account', 'account_entry', 'verification', 'secret_canary'])
      expect(await inOwn(`select * from ${table}`)).toContain('permission denied')
  })

  test('the audit log cannot be changed or deleted', async () => {
    for (const text of [
      `update audit_entry set action = 'x'`,
      'delete from audit_entry',
      'truncate audit_entry',
      'delete from audit_link',
      `update audit_head set hash = ''`,
      'delete from audit_pending',
      'alter table audit_entry disable trigger all',
    ])
      expect([text, await inOwn(text)]).toEqual([text, expect.stringMatching(/permission denied|must be owner/)])
    expect(await inOwn(`select erase_audit('${testStack.workspaceId}')`)).toContain('still there')
    expect(await inOwn(`select erase_audit('${testStack.otherWorkspaceId}')`)).toContain('or another one')
  })

  test('changing the role gains nothing', async () => {
    for (const role of ['postgres', 'carillon_system', 'carillon_app', 'pg_write_all_data'])
      expect(await attempt(appUrl, `set role ${role}`)).toContain('permission denied')
    expect(await attempt(appUrl, 'set session authorization postgres')).toContain('permission denied')
    for (const reset of ['reset role', 'set role none', 'reset session authorization', 'reset all'])
      expect([reset, await attempt(appUrl, `${reset}; select count(*)::int as seen from post`)]).toEqual([reset, [{ seen: 0 }]])
    expect(await attempt(appUrl, 'set row_security = off; select * from post')).toContain('row-level security')
  })

  test('nothing can be created or altered', async () => {
    for (const text of [
      'create table t (x int)',
      'create temp table t (x int)',
      'create schema s',
      'drop table post',
      'create role r',
    ])
      expect([text, await attempt(appUrl, text)]).toEqual([text, expect.stringMatching(/permission denied|must be owner/)])
  })
})

test('the login of the system cannot change the audit log, the schema or its role either', async () => {
  for (const text of [
    `update audit_entry set action = 'x'`,
    'delete from audit_entry',
    'delete from account_entry',
    'delete from audit_link',
    'set role postgres',
    'alter table post disable row level security',
    'create table t (x int)',
  ])
    expect([text, await attempt(systemUrl, text)]).toEqual([text, expect.stringMatching(/permission denied|must be owner/)])
})
