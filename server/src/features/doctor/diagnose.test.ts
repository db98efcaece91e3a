import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Machine, Status } from './check.ts'
import { diagnose } from './diagnose.ts'
import { startInstallation, type Env, type Installation } from './installation.fixture.ts'

let installation: Installation
let db: pg.Pool

beforeAll(async () => {
  installation = await startInstallation()
  db = new pg.Pool({ connectionString: installation.stack.info.databaseUrl, max: 2 })
  // Its connections may be closed by the end of PostgreSQL before they have ended by themselves.
  db.on('error', () => {})
}, 300_000)

afterAll(async () => {
  await db?.end()
  await installation?.stop()
}, 60_000)

/** Whatever programs are installed where the test runs. */
const complete: Partial<Machine> = { findProgram: (name) => `/usr/bin/${name}`, freeBytes: async () => 10 ** 12 }

type Planted = {
  title: string
  check: string
  status: Status
  message: RegExp
  env?: (fine: Env) => Env | Promise<Env>
  without?: string
  machine?: Partial<Machine>
  /** Statements as the owner of the database, before and after. */
  before?: string
  after?: string
}

const otherKey = Buffer.alloc(32, 9).toString('base64')
const withUser = (url = '', user: string) => url.replace('postgres@', `${user}@`)
const ports = () => installation.freePorts.map(String)

/** Nothing listens on the ports of these settings, so they are those of an installation that does not run. */
const stopped = (): Env => {
  const [port = '', worker = '', health = ''] = ports()
  return { CARILLON_PORT: port, CARILLON_WORKER_PORT: worker, CARILLON_HEALTH_PORT: health }
}

const planted: Planted[] = [
  {
    title: 'a required setting is missing',
    check: 'settings',
    status: 'fail',
    message: /CARILLON_SECRET_KEYS is not set/,
    without: 'CARILLON_SECRET_KEYS',
  },
  {
    title: 'a setting is misspelt',
    check: 'settings',
    status: 'warn',
    message: /Did you mean CARILLON_PUBLIC_URL/,
    env: () => ({ CARILLON_PUBLIC_ULR: 'https://x.example' }),
  },
  {
    title: 'PostgreSQL does not run',
    check: 'database',
    status: 'fail',
    message: /Nothing answers/,
    env: () => ({ DATABASE_URL: `postgres://u@127.0.0.1:${ports()[0]}/db` }),
  },
  {
    title: 'the password of the database is wrong',
    check: 'database',
    status: 'fail',
    message: /password authentication failed/,
    env: (fine) => ({ DATABASE_URL: withUser(fine['DATABASE_URL'], 'secured:wrong') }),
    before: `create role secured login superuser password 'right'`,
    after: 'drop role secured',
  },
  {
    title: 'the database does not exist',
    check: 'database',
    status: 'fail',
    message: /"nowhere" does not exist/,
    env: (fine) => ({ DATABASE_URL: `${fine['DATABASE_URL']?.replace(/\/postgres$/, '/nowhere')}` }),
  },
  {
    title: 'the owner may not create logins',
    check: 'database',
    status: 'fail',
    message: /may not create the logins/,
    env: (fine) => ({ DATABASE_URL: withUser(fine['DATABASE_URL'], 'plain') }),
    before: 'create role plain login',
    after: 'drop role plain',
  },
  {
    title: 'the schema is old',
    check: 'schema',
    status: 'warn',
    message: /lacks 1 of \d+ migrations, the first of which is 011_zone_rules.sql/,
    before: `delete from migration where name = '011_zone_rules.sql'`,
    after: `insert into migration (name) values ('011_zone_rules.sql')`,
  },
  {
    title: 'the schema is old, and the process cannot migrate',
    check: 'schema',
    status: 'fail',
    message: /lacks 1 of \d+ migrations/,
    without: 'DATABASE_URL',
    env: (fine) => ({
      CARILLON_DATABASE_APP_URL: withUser(fine['DATABASE_URL'], 'own_app'),
      CARILLON_DATABASE_SYSTEM_URL: withUser(fine['DATABASE_URL'], 'own_system'),
    }),
    before: `create role own_app login in role carillon_app; create role own_system login in role carillon_system;
      delete from migration where name = '011_zone_rules.sql'`,
    after: `insert into migration (name) values ('011_zone_rules.sql'); drop role own_app; drop role own_system`,
  },
  {
    title: 'a newer release migrated the schema',
    check: 'schema',
    status: 'warn',
    message: /a newer release/,
    before: `insert into migration (name) values ('999_future.sql')`,
    after: `delete from migration where name = '999_future.sql'`,
  },
  {
    title: 'a login lacks a right',
    check: 'database-logins',
    status: 'fail',
    message: /carillon_app: insert on post/,
    before: 'revoke insert on post from carillon_app',
    after: 'grant insert on post to carillon_app',
  },
  {
    title: 'a login has too many rights',
    check: 'database-logins',
    status: 'fail',
    message: /has the attribute superuser/,
    env: (fine) => ({ CARILLON_DATABASE_SYSTEM_URL: fine['DATABASE_URL'] ?? '' }),
  },
  {
    title: 'the pools are larger than PostgreSQL allows',
    check: 'database-connections',
    status: 'warn',
    message: /may open 522 connections/,
    env: () => ({ CARILLON_DATABASE_TENANT_CONNECTIONS: '500' }),
  },
  {
    title: 'the secret key is another one',
    check: 'secret-keys',
    status: 'fail',
    message: /The key "k1" .* is not the one/,
    env: () => ({ CARILLON_SECRET_KEYS: `k1:${otherKey}` }),
  },
  {
    title: 'a key that is in use is missing',
    check: 'secret-keys',
    status: 'fail',
    message: /encrypted with the key "k1"/,
    env: () => ({ CARILLON_SECRET_KEYS: `k2:${otherKey}` }),
  },
  {
    title: 'the engine does not run',
    check: 'engine',
    status: 'fail',
    message: /does not answer at/,
    env: () => ({ RESTATE_ADMIN_URL: `http://127.0.0.1:${ports()[0]}` }),
  },
  {
    title: 'the engine accepts no work',
    check: 'engine',
    status: 'fail',
    message: /does not accept work at/,
    env: () => ({ RESTATE_INGRESS_URL: `http://127.0.0.1:${ports()[0]}` }),
  },
  {
    title: 'the engine is of another version',
    check: 'engine',
    status: 'warn',
    message: /has the version 0.9.2/,
    env: async (fine) => ({ RESTATE_ADMIN_URL: await adminProxy(fine, { '/version': '{"version":"0.9.2"}' }) }),
  },
  {
    title: 'the engine knows no worker',
    check: 'engine-deployment',
    status: 'warn',
    message: /knows no worker/,
    env: async (fine) => ({ RESTATE_ADMIN_URL: await adminProxy(fine, { '/deployments': '{"deployments":[]}' }) }),
  },
  {
    title: 'the engine knows another worker',
    check: 'engine-deployment',
    status: 'warn',
    message: /and not to http:\/\/workers.example:9080/,
    env: () => ({ CARILLON_WORKER_URL: 'http://workers.example:9080' }),
  },
  {
    title: 'other machines can reach the worker',
    check: 'worker-address',
    status: 'fail',
    message: /RESTATE_IDENTITY_KEYS is not set/,
    without: 'RESTATE_IDENTITY_KEYS',
    env: () => ({ CARILLON_WORKER_HOST: '0.0.0.0' }),
  },
  {
    title: 'the database is fenced',
    check: 'sending',
    status: 'fail',
    message: /fenced, so nothing is sent: a test/,
    before: `update cell set fenced_at = now(), fence_reason = 'a test'`,
    after: 'update cell set fenced_at = null, fence_reason = null',
  },
  {
    title: 'the media folder cannot be written',
    check: 'storage',
    status: 'fail',
    message: /cannot be stored in the folder .*ENOTDIR/,
    env: () => ({ CARILLON_MEDIA_DIR: '/dev/null/media' }),
  },
  {
    title: 'the files of all workspaces reach their limit',
    check: 'storage-use',
    status: 'fail',
    message: /have 200 GB of 100 GB\. Uploads are refused/,
    env: () => ({ CARILLON_QUOTA_STORAGE_BYTES_TOTAL: String(100 * 10 ** 9) }),
    before: `insert into workspace values ('full', 'Full', 'full', 'free', 'UTC', null, now(), now());
      insert into storage_use values ('full', ${200 * 10 ** 9})`,
    after: `delete from workspace where id = 'full'`,
  },
  {
    title: 'the files of all workspaces come near their limit',
    check: 'storage-use',
    status: 'warn',
    message: /have 80 GB of 100 GB/,
    env: () => ({ CARILLON_QUOTA_STORAGE_BYTES_TOTAL: String(100 * 10 ** 9) }),
    before: `insert into workspace values ('full', 'Full', 'full', 'free', 'UTC', null, now(), now());
      insert into storage_use values ('full', ${80 * 10 ** 9})`,
    after: `delete from workspace where id = 'full'`,
  },
  { title: 'the disk is full', check: 'disk', status: 'fail', message: /almost full/, machine: { freeBytes: async () => 1000 } },
  {
    title: 'the disk is smaller than the largest file',
    check: 'disk',
    status: 'warn',
    message: /less than the largest file/,
    env: () => ({ CARILLON_MEDIA_BYTES_MAX: String(10 ** 13) }),
  },
  {
    title: 'ffmpeg is not installed',
    check: 'media-programs',
    status: 'warn',
    message: /ffmpeg \(videos are refused\)/,
    machine: { findProgram: (name) => (name === 'ffmpeg' ? null : name) },
  },
  {
    title: 'the sandbox is required, and bubblewrap is not installed',
    check: 'media-programs',
    status: 'fail',
    message: /bwrap/,
    env: () => ({ CARILLON_MEDIA_SANDBOX: 'require' }),
    machine: { findProgram: (name) => (name === 'bwrap' ? null : name) },
  },
  {
    title: 'the mail server does not run',
    check: 'mail',
    status: 'fail',
    message: /ECONNREFUSED/,
    env: () => ({ CARILLON_SMTP_URL: `smtp://127.0.0.1:${ports()[0]}` }),
  },
  { title: 'mail is not configured', check: 'mail', status: 'warn', message: /No mail is sent/, without: 'CARILLON_SMTP_URL' },
  {
    title: 'the identity provider does not run',
    check: 'sign-in',
    status: 'fail',
    message: /ECONNREFUSED/,
    env: () => ({
      CARILLON_OIDC_ISSUER: `http://127.0.0.1:${ports()[0]}`,
      CARILLON_OIDC_CLIENT_ID: 'c',
      CARILLON_OIDC_CLIENT_SECRET: 's',
    }),
  },
  {
    title: 'the clock of the engine is an hour ahead',
    check: 'clock',
    status: 'fail',
    message: /engine is 3\d\d\d\.\d s ahead/,
    env: async (fine) => {
      const date = new Date(Date.now() + 3_600_000).toUTCString()
      return { RESTATE_ADMIN_URL: await installation.startProxy(fine['RESTATE_ADMIN_URL'] ?? '', { answer: { date } }) }
    },
  },
  {
    title: 'another program uses a port',
    check: 'ports',
    status: 'fail',
    message: /another program uses it/,
    env: () => ({
      ...stopped(),
      CARILLON_PUBLIC_URL: 'https://carillon.example',
      CARILLON_HEALTH_PORT: String(installation.busyPort),
    }),
  },
  {
    title: 'two ports are the same',
    check: 'ports',
    status: 'fail',
    message: /are the same/,
    env: (fine) => ({
      CARILLON_WORKER_PORT: fine['CARILLON_PORT'] ?? '',
      CARILLON_WORKER_URL: `http://127.0.0.1:${fine['CARILLON_WORKER_PORT']}`,
    }),
  },
  {
    title: 'the web app was not built',
    check: 'web-app',
    status: 'warn',
    message: /no web app in/,
    env: () => ({ CARILLON_WEB_DIR: '/dev/null' }),
  },
  {
    title: 'the public address has no TLS',
    check: 'public-url',
    status: 'warn',
    message: /without https/,
    env: () => ({ ...stopped(), CARILLON_PUBLIC_URL: 'http://carillon.example' }),
  },
  {
    title: 'the public address is the listening address',
    check: 'public-url',
    status: 'fail',
    message: /People cannot open/,
    env: () => ({ CARILLON_PUBLIC_URL: 'http://0.0.0.0:3000' }),
  },
  {
    title: 'the public address cannot be reached',
    check: 'public-address',
    status: 'fail',
    message: /cannot be reached/,
    env: () => ({ CARILLON_PUBLIC_URL: `https://127.0.0.1:${ports()[0]}` }),
  },
  {
    title: 'the public address leads to another program',
    check: 'public-address',
    status: 'fail',
    message: /Another program answers/,
    env: async (fine) => ({
      CARILLON_PUBLIC_URL: await installation.startProxy(fine['CARILLON_PUBLIC_URL'] ?? '', { body: () => 'welcome' }),
    }),
  },
  {
    title: 'the proxy is not trusted',
    check: 'proxy-headers',
    status: 'warn',
    message: /does not contain the proxy 127.0.0.1/,
    env: async (fine) => {
      const proxy = { request: { 'x-forwarded-for': '203.0.113.7' } }
      return { CARILLON_PUBLIC_URL: await installation.startProxy(fine['CARILLON_PUBLIC_URL'] ?? '', proxy) }
    },
  },
  {
    title: 'a platform app has no secret',
    check: 'platform-apps',
    status: 'fail',
    message: /CARILLON_APP_LINKEDIN has no client id or no client secret/,
    env: () => ({ CARILLON_APP_LINKEDIN: 'only-the-id' }),
  },
  {
    title: 'an approved app is not configured',
    check: 'platform-apps',
    status: 'warn',
    message: /CARILLON_VETTED_APPS names linkedin/,
    env: () => ({ CARILLON_VETTED_APPS: 'linkedin' }),
  },
  {
    title: 'a platform has no sandbox',
    check: 'platform-apps',
    status: 'warn',
    message: /CARILLON_SANDBOXES names linkedin, which has no sandbox/,
    env: () => ({ CARILLON_SANDBOXES: 'pinterest,linkedin' }),
  },
]

function adminProxy(fine: Env, answers: Record<string, string>): Promise<string> {
  return installation.startProxy(fine['RESTATE_ADMIN_URL'] ?? '', { body: (path) => answers[path] ?? null })
}

test('an installation that works has no failed check and no warning', async () => {
  const { status, checks } = await diagnose({ env: installation.env, machine: complete })
  expect(checks.filter((check) => check.status !== 'ok')).toEqual([])
  expect(status).toBe('ok')
})

test('in a container, an address of the machine around it is no fault', async () => {
  const env = { ...installation.env, CARILLON_PUBLIC_URL: `http://localhost:${ports()[0]}`, CARILLON_HOST: '0.0.0.0' }
  const { status, checks } = await diagnose({ env, machine: complete })
  expect(checks.find(({ name }) => name === 'public-address')).toEqual({
    name: 'public-address',
    status: 'skipped',
    message: expect.stringContaining('leads from a container to the container itself'),
  })
  expect(status).toBe('ok')
})

test.each(planted)('guarantee: the doctor finds by name that $title', { timeout: 60_000 }, async (fault) => {
  const { env: fine } = installation
  const { [fault.without ?? '']: _left, ...kept } = fine
  if (fault.before?.includes('secured')) await requirePassword('secured')
  if (fault.before) await db.query(fault.before)
  try {
    const env = { ...kept, ...(await fault.env?.(fine)) }
    const { status, checks } = await diagnose({ env, machine: { ...complete, ...fault.machine } })
    expect(checks.find(({ name }) => name === fault.check)).toMatchObject({
      status: fault.status,
      message: expect.stringMatching(fault.message),
      action: expect.stringMatching(/\w{3}/),
    })
    // The others stay as they were, or say that they could not be checked.
    const others = checks.filter(({ name, status: other }) => name !== fault.check && other !== 'ok' && other !== 'skipped')
    expect(others).toEqual([])
    expect(status).toBe(fault.status)
  } finally {
    if (fault.after) await db.query(fault.after)
  }
})

/** The test database lets everyone in; a line before the others asks this user for a password. */
async function requirePassword(user: string): Promise<void> {
  const { rows } = await db.query<{ dir: string }>(`select current_setting('data_directory') as dir`)
  const path = join(rows[0]?.dir ?? '', 'pg_hba.conf')
  await writeFile(path, `host all ${user} 127.0.0.1/32 scram-sha-256\n${await readFile(path, 'utf8')}`)
  await db.query('select pg_reload_conf()')
}
