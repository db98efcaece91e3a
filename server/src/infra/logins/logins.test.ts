import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type Postgres } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContext } from '../../open-context.ts'
import { readConfig } from '../../config.ts'
import { secretKeys } from '../../../test/logins.ts'
import { listMigrations, migrate } from '../db/migrate.ts'
import { parseSecretKeys } from '../sealing/seal.ts'
import { deriveLogins } from './derive-logins.ts'
import { ensureGroupRoles, ensureLogins } from './login.store.ts'
import { migrateDatabase } from './prepare-database.ts'

const newKeys = `k2:${Buffer.alloc(32, 8).toString('base64')},${secretKeys}`
let dir: string
let postgres: Postgres
/** Not a superuser: an owner as operators should have it. */
let ownerUrl: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-logins-'))
  postgres = await startPostgres({ dir, fsync: false })
  await query(postgres.url, `create role tower login createrole password 'of the owner'`)
  await query(postgres.url, 'create database carillon owner tower')
  // Everybody but the superuser needs the right password.
  const file = join(dir, 'data', 'pg_hba.conf')
  await writeFile(file, 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
  await query(postgres.url, 'select pg_reload_conf()')
  ownerUrl = `postgres://tower:of%20the%20owner@127.0.0.1:${postgres.port}/carillon`
  await migrateDatabase(configOf())
}, 60_000)
afterAll(async () => {
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

function configOf(env: Record<string, string> = {}) {
  return readConfig({ DATABASE_URL: ownerUrl, CARILLON_SECRET_KEYS: secretKeys, CARILLON_LOG_LEVEL: 'silent', ...env })
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return [await client.query(text)].flat().at(-1)?.rows ?? []
  } finally {
    await client.end()
  }
}

/** The code and the message with which PostgreSQL refuses, or the rows. */
const attempt = (url: string, text: string) =>
  query(url, text).catch(({ code, message }: pg.DatabaseError) => `${code} ${message}`)
/** The message is another one in each version of PostgreSQL. */
const insufficientPrivilege = '42501'

const logins = () => deriveLogins(ownerUrl, parseSecretKeys(secretKeys))

async function start(env: Record<string, string> = {}): Promise<string> {
  try {
    const { close } = await openContext(configOf(env))
    await close()
    return 'started'
  } catch (error) {
    return (error as Error).message
  }
}

describe('guarantee: the login of requests has no way out of row-level security', () => {
  const asApp = (text: string) => attempt(logins().carillon_app.url, text)

  test('it cannot become another role', async () => {
    const [version] = await query(postgres.url, `select current_setting('server_version_num')::int >= 160000 as knows_set_false`)
    // PostgreSQL 15 lets a login change to its own group, which has the same rights.
    const group = version?.['knows_set_false'] ? ['carillon_app'] : []
    for (const role of [...group, 'tower', 'postgres', 'carillon_system', 'pg_read_all_data', logins().carillon_system.name])
      expect(await asApp(`set role ${role}`)).toContain(insufficientPrivilege)
    for (const role of ['tower', 'postgres', logins().carillon_system.name])
      expect(await asApp(`set session authorization ${role}`)).toContain(insufficientPrivilege)
    const same = [{ current_user: logins().carillon_app.name, session_user: logins().carillon_app.name }]
    for (const reset of ['reset role', 'set role none', 'reset session authorization'])
      expect(await asApp(`${reset}; select current_user, session_user`)).toEqual(same)
  })

  test('it owns nothing and can create nothing', async () => {
    const { name } = logins().carillon_app
    const owned = `select relname from pg_class where pg_get_userbyid(relowner) in ('${name}', 'carillon_app')`
    expect(await query(postgres.url.replace(/postgres$/, 'carillon'), owned)).toEqual([])
    for (const ddl of [
      'create table t (x int)',
      'create temporary table t (x int)',
      'create schema s',
      'alter table post add column x int',
      'alter table post disable row level security',
      'alter table post no force row level security',
      'drop policy tenant on post',
      'drop table audit_entry',
      'truncate audit_entry',
      'create function f() returns int language sql as $$ select 1 $$',
      'create role r',
      'create database d',
      `create trigger t before insert on post execute function lower_person_email()`,
      'grant carillon_system to current_user',
    ])
      expect([ddl, await asApp(ddl)]).toEqual([ddl, expect.stringContaining(insufficientPrivilege)])
  })

  test('row-level security cannot be switched off', async () => {
    expect(await asApp('set row_security = off; select * from post')).toContain('would be affected by row-level security')
    expect(await asApp(`copy (select 1) to '/tmp/x'`)).toContain(insufficientPrivilege)
    expect(await asApp(`select pg_read_file('/etc/passwd')`)).toContain(insufficientPrivilege)
  })

  test('neither login can read the tables that are not its own business', async () => {
    for (const table of [
      'session',
      'account',
      'secret_canary',
      'instance_app',
      'platform_app',
      'account_entry',
      'audit_link',
      'audit_head',
    ])
      expect([table, await asApp(`select from ${table}`)]).toEqual([
        table,
        `${insufficientPrivilege} permission denied for table ${table}`,
      ])
    expect(await attempt(logins().carillon_system.url, 'select rolpassword from pg_authid')).toContain(insufficientPrivilege)
  })
})

describe('an installation with one address', () => {
  test('the logins need their passwords, which are not in the log of the database', async () => {
    const { url, password } = logins().carillon_app
    expect(await attempt(url.replace(password, 'guessed'), 'select 1')).toContain('password authentication failed')
    expect(await readFile(join(dir, 'postgres.log'), 'utf8')).not.toContain(password)
    expect(await start()).toBe('started')
  })

  test('a login that was changed is put right at the next start', async () => {
    const { name, url } = logins().carillon_app
    await query(url, `alter role ${name} password 'stolen'; alter role ${name} set statement_timeout = 1`)
    expect(await start()).toBe('started')
    expect(await query(url, 'show statement_timeout')).toEqual([{ statement_timeout: '30s' }])
  })

  test('a new secret key gives new logins; the old ones work until their key is removed and the database is migrated', async () => {
    const next = deriveLogins(ownerUrl, parseSecretKeys(newKeys))
    expect(next.carillon_app.name).not.toBe(logins().carillon_app.name)
    expect(await start({ CARILLON_SECRET_KEYS: newKeys })).toBe('started')
    // A process with the old list starts again while the keys are being changed.
    expect(await start()).toBe('started')
    for (const { url } of [next.carillon_app, logins().carillon_app])
      expect(await attempt(url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await migrateDatabase(configOf({ CARILLON_SECRET_KEYS: newKeys }))).toMatchObject({ droppedLogins: [] })
    const { droppedLogins } = await migrateDatabase(configOf())
    expect(droppedLogins.toSorted()).toEqual([next.carillon_app.name, next.carillon_system.name].toSorted())
    expect(await attempt(next.carillon_app.url, 'select 1')).toContain('authentication failed')
  })

  test('a copy of the database under another name has its own logins', async () => {
    await query(postgres.url, 'create database copy template carillon owner tower')
    const copy = ownerUrl.replace(/carillon$/, 'copy')
    expect(await start({ DATABASE_URL: copy })).toBe('started')
    expect(deriveLogins(copy, parseSecretKeys(secretKeys)).carillon_app.name).not.toBe(logins().carillon_app.name)
  })

  test('several processes can start at once', async () => {
    expect(await Promise.all(Array.from({ length: 6 }, () => start()))).toEqual(Array.from({ length: 6 }, () => 'started'))
  })
})

describe('an installation with logins of its own', () => {
  const urlOf = (name: string) => `postgres://${name}:own@127.0.0.1:${postgres.port}/carillon`
  beforeAll(async () => {
    await query(
      postgres.url,
      `create role own_app login password 'own' in role carillon_app; create role own_system login password 'own' in role carillon_system;
       create role own_both login password 'own' in role carillon_app, carillon_system; create role own_none login password 'own';
       create role own_bypass login bypassrls password 'own' in role carillon_app`,
    )
  })
  const env = (app: string) => ({
    DATABASE_URL: '',
    CARILLON_DATABASE_APP_URL: urlOf(app),
    CARILLON_DATABASE_SYSTEM_URL: urlOf('own_system'),
  })

  test('a process needs no address of the owner', async () => {
    expect(await start(env('own_app'))).toBe('started')
  })

  test('`carillon migrate --create-logins` makes them, and their passwords are those of the settings', async () => {
    const own = { CARILLON_DATABASE_APP_URL: urlOf('made_app'), CARILLON_DATABASE_SYSTEM_URL: urlOf('made_system') }
    await migrateDatabase(configOf(own))
    expect(await start({ ...own, DATABASE_URL: '' })).toContain('refuses the login')
    await migrateDatabase(configOf(own), { createsLogins: true })
    expect(await start({ ...own, DATABASE_URL: '' })).toBe('started')
    await query(postgres.url, `alter role made_app password 'stolen'`)
    await migrateDatabase(configOf(own), { createsLogins: true })
    expect(await start({ ...own, DATABASE_URL: '' })).toBe('started')
    const nameless = { ...own, CARILLON_DATABASE_APP_URL: urlOf('made_app').replace(':own', '') }
    await expect(migrateDatabase(configOf(nameless), { createsLogins: true })).rejects.toThrow(
      'names no login that could be created',
    )
  })

  test('it does not start on an older schema', async () => {
    const last = (await listMigrations()).at(-1) ?? ''
    await query(ownerUrl, `delete from migration where name = '${last}'`)
    expect(await start(env('own_app'))).toContain(`lacks 1 migrations, the first of which is ${last}. Run "carillon migrate"`)
    await query(ownerUrl, `insert into migration (name) values ('${last}')`)
  })

  test.each([
    ['own_both', 'is a member of carillon_system'],
    ['own_none', 'is not a member of carillon_app'],
    ['own_bypass', 'has the attribute bypassrls'],
  ])('the login "%s" is refused', async (name, reason) => {
    expect(await start(env(name))).toContain(reason)
  })

  test('the owner is refused as the login of requests', async () => {
    expect(await start({ ...env('own_app'), CARILLON_DATABASE_APP_URL: ownerUrl })).toContain('The database login "tower"')
    expect(
      await start({ ...env('own_app'), CARILLON_DATABASE_APP_URL: postgres.url.replace(/postgres$/, 'carillon') }),
    ).toContain('has the attribute superuser')
  })
})

describe('a dump on another PostgreSQL', () => {
  test('needs the roles that it refers to, which are created before it is restored', async () => {
    const otherDir = await mkdtemp(join(tmpdir(), 'carillon-other-'))
    const other = await startPostgres({ dir: otherDir, fsync: false })
    try {
      expect(await ensureGroupRoles(other.url)).toEqual(['carillon_app', 'carillon_system'])
      expect(await ensureGroupRoles(other.url)).toEqual([])
      // The roles are there before the tables, as when a dump is restored.
      await migrate(other.url)
      expect(await start({ DATABASE_URL: other.url })).toBe('started')
    } finally {
      await other.stop()
      await rm(otherDir, { recursive: true, force: true })
    }
  }, 60_000)

  test('without the rights of the roles nothing starts', async () => {
    await query(postgres.url, 'create database bare owner tower')
    const bare = ownerUrl.replace(/carillon$/, 'bare')
    await migrate(bare)
    await query(bare, 'revoke all on all tables in schema public from carillon_app, carillon_system')
    await expect(ensureLogins(bare, [])).rejects.toThrow('run "carillon roles", and restore the dump again')
  })
})
