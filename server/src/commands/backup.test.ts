import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretKeys } from '../../test/logins.ts'
import { openServer, type TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import { readConfig, type Config } from '../config.ts'
import { recordAccountEvent } from '../features/audit/record-change.ts'
import { linkEntries } from '../features/audit/link-entries.ts'
import { findPlatformApp, savePlatformApp } from '../features/connections/apps/platform-apps.ts'
import { addConnections } from '../features/connections/add-connections.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-install.ts'
import { backUp } from './backup.ts'
import { openContext } from '../open-context.ts'
import { restore } from './restore.ts'

let dir: string
let database: TestDatabase
let server: TestServer
let db: pg.Pool
let folder: string

const withDatabase = (name: string) => database.url.replace(/\/postgres$/, `/${name}`)

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-backup-'))
  database = await startDatabase()
  server = openServer({ database })
  db = new pg.Pool({ connectionString: database.url, max: 2 })
  // Its connections may be closed by the end of PostgreSQL before they have ended by themselves.
  db.on('error', () => {})
  const { ctx } = server
  const { workspaceId, personId } = await setUpWorkspace(ctx, {
    workspace: 'Bells "and" \\ more\nlines, {too}',
    email: 'ada@example.com',
  })
  const accounts = Array.from({ length: 700 }, (_, n) => ({
    platform: 'bluesky' as const,
    handle: `h${n}`,
    accountId: `a${n}`,
    credentials: { accessToken: `token-${n}` },
  }))
  await addConnections(ctx, workspaceId, accounts)
  await ctx.db.system
    .transaction()
    .execute((tx) => savePlatformApp(ctx, tx, 'x', { clientId: 'id', clientSecret: 'secret of the app', isVetted: false }))
  await recordAccountEvent(ctx, ctx.db.system, { personId, action: 'sign_in', ipAddress: null, userAgent: 'x', traceId: 't' })
  await linkEntries(ctx)
  await insertPost(workspaceId)
  // A user who owns nothing but the database, as a provider of databases gives one.
  await db.query(`create role provider login createrole password 'p'`)
  for (const name of ['restored', 'refused']) await db.query(`create database ${name} owner provider`)
  await db.query('grant carillon_app, carillon_system to provider with admin option')
  folder = (await backUp(configWith(database.url), dir)).folder
}, 180_000)

afterAll(async () => {
  await db?.end()
  await server?.close()
  await database?.stop()
  await rm(dir, { recursive: true, force: true })
})

/** With what COPY and JSON get wrong easily: quotes, JSON null, microseconds, generated columns. */
async function insertPost(workspaceId: string): Promise<void> {
  await db.query(
    `insert into post (workspace_id, id, request_id, status, type, text, platform_options, warnings, created_at, updated_at)
     values ($1, 'p1', gen_random_uuid(), 'scheduled', 'text', $2, 'null', '[]', '2026-11-15T10:00:00.123456Z', now())`,
    [workspaceId, 'A "post", with (all) {kinds} of \\ quotes\nand lines 🔔'],
  )
  await db.query(
    `insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at,
       dispatch_at, needs_stage, warnings)
     select $1, 'c' || n, 'p1', n, 'x', 'x', 'x', 'bluesky', 'scheduled', now() + interval '1 day', now() + interval '1 day', false, '[]'
     from generate_series(1, 3) n`,
    [workspaceId],
  )
}

function configWith(url: string, keys = secretKeys): Config {
  return readConfig({ DATABASE_URL: url, CARILLON_SECRET_KEYS: keys, CARILLON_LOG_LEVEL: 'silent' })
}

/** Every row of every table but those that a restore changes. */
async function readEverything(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname not in ('migration', 'heartbeat', 'chore', 'cell') order by 1`,
    )
    const all: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
      all[name] = rows.map(({ row }) => row)
    }
    return all
  } finally {
    await client.end()
  }
}

test('guarantee: a restored database has every row of the backup, and sends nothing until the restore is finished', async () => {
  const url = withDatabase('restored')
  const asProvider = url.replace('postgres@', 'provider:p@')
  const { rows } = await restore(configWith(asProvider), folder)
  const [before, after] = [await readEverything(database.url), await readEverything(url)]
  expect(after).toEqual(before)
  expect(before['connection']).toHaveLength(700)
  expect(before['part']).toHaveLength(3)
  expect(before['post_tally']).not.toEqual([])
  expect(rows).toBeGreaterThan(700)
  const restored = new pg.Client({ connectionString: url })
  await restored.connect()
  const { rows: cells } = await restored.query('select fenced_at is not null as fenced, fence_reason as reason from cell')
  const forced = 'select count(*)::int as n from pg_class where relforcerowsecurity'
  const [{ n: forcedAfter }] = (await restored.query<{ n: number }>(forced)).rows as [{ n: number }]
  const triggers = await restored.query(`select tgname from pg_trigger where not tgisinternal and tgenabled = 'D'`)
  const { rows: next } = await restored.query<{ id: string }>(`select nextval('post_tally_id_seq')::text as id`)
  await restored.end()
  expect(Number(next[0]?.id)).toBeGreaterThan(1_000_000)
  expect(cells).toEqual([{ fenced: true, reason: expect.stringContaining('restored from a backup of') }])
  expect(forcedAfter).toBe((await db.query<{ n: number }>(forced)).rows[0]?.n)
  expect(triggers.rows).toEqual([])
  // The service starts with it: logins, schema and secret keys fit.
  const { ctx, close } = await openContext(configWith(asProvider))
  expect(await findPlatformApp(ctx, 'x')).toMatchObject({ clientId: 'id', clientSecret: 'secret of the app' })
  await close()
}, 180_000)

test('a restore is refused without the secret keys, into a database that is in use, and from damaged files', async () => {
  const empty = withDatabase('refused').replace('postgres@', 'provider:p@')
  const otherKeys = `k9:${Buffer.alloc(32, 3).toString('base64')}`
  await expect(restore(configWith(empty, otherKeys), folder)).rejects.toThrow('encrypted with the key "k1"')
  await expect(restore(configWith(database.url), folder)).rejects.toThrow('is not empty')
  await expect(restore(configWith(empty), dir)).rejects.toThrow('There is no backup in')
  const file = join(folder, 'tables', 'connection.gz')
  const bytes = await readFile(file)
  await writeFile(file, bytes.subarray(0, -10))
  await expect(restore(configWith(empty), folder)).rejects.toThrow('"connection" in the backup is damaged')
  await writeFile(file, bytes)
})

test('guarantee: a backup contains the ids of the secret keys and never a key or an access token', async () => {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8')
  expect(JSON.parse(manifest)).toMatchObject({ keyIds: ['k1'], format: 1 })
  expect(manifest).not.toContain(secretKeys.split(':')[1])
  expect((await readdir(dir)).filter((name) => name.endsWith('.unfinished'))).toEqual([])
})
