import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretKeys as oldKeys } from '../../test/logins.ts'
import { openServer, type TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import { readConfig } from '../config.ts'
import { linkEntries } from '../features/audit/link-entries.ts'
import { recordAccountEvent } from '../features/audit/record-change.ts'
import { verifyAudit } from '../features/audit/verify-audit.ts'
import { addConnections } from '../features/connections/add-connections.ts'
import { authSecrets } from '../features/people/auth-secrets.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-install.ts'
import { checkSecretKeys } from '../infra/sealing/check-secret-keys.ts'
import { type Place, open, parseSecretKeys, seal } from '../infra/sealing/seal.ts'
import { rotateKeys } from './rotate-keys.ts'

/** More than one batch. */
const connections = 450
const newKey = `k2:${Buffer.alloc(32, 8).toString('base64')}`

let database: TestDatabase
let server: TestServer
let db: pg.Pool
let workspaceId: string
let personId: string

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database })
  db = new pg.Pool({ connectionString: database.url, max: 2 })
  // Its connections may be closed by the end of PostgreSQL before they have ended by themselves.
  db.on('error', () => {})
  const { ctx } = server
  const made = await setUpWorkspace(ctx, { workspace: 'W', email: 'ada@example.com' })
  ;({ workspaceId, personId } = made)
  const accounts = Array.from({ length: connections }, (_, n) => ({
    platform: 'bluesky' as const,
    handle: `h${n}`,
    accountId: `a${n}`,
    credentials: { accessToken: `token-${n}` },
  }))
  await addConnections(ctx, workspaceId, accounts)
  await insertOtherSecrets()
  await recordAccountEvent(ctx, ctx.db.system, { personId, action: 'sign_in', ipAddress: null, userAgent: null, traceId: 't' })
  await linkEntries(ctx)
}, 120_000)

afterAll(async () => {
  await db?.end()
  await server?.close()
  await database?.stop()
})

const link: Place = { workspaceId: '', rowId: 'link1', column: 'return_secret' }
const webhook: Place = { workspaceId: '', rowId: 'hook1', column: 'secret' }
const app: Place = { workspaceId: '', rowId: 'mastodon https://social.example', column: 'client_secret' }
const platformApp: Place = { workspaceId: '', rowId: 'x id', column: 'client_secret' }
const letter: Place = { workspaceId: '', rowId: 'mail1', column: 'letter' }

async function insertOtherSecrets(): Promise<void> {
  const keys = parseSecretKeys(oldKeys)
  const sealOld = (place: Place, text: string) => seal(keys, place, text)
  await db.query(
    `insert into webhook (workspace_id, id, url, events, active, secret_hint, secret_sealed, created_at, updated_at)
     values ($1, 'hook1', 'https://x.example', '{}', true, '', $2, now(), now())`,
    [workspaceId, sealOld({ ...webhook, workspaceId }, 'webhook secret')],
  )
  await db.query(
    `insert into instance_app (platform, instance_url, redirect_url, client_id, client_secret_sealed, created_at)
     values ('mastodon', 'https://social.example', 'https://r.example', 'id', $1, now())`,
    [sealOld(app, 'app secret')],
  )
  await db.query(
    `insert into platform_app (platform, client_id, client_secret_sealed, is_vetted, entered_at) values ('x', 'id', $1, false, now())`,
    [sealOld(platformApp, 'secret of the platform app')],
  )
  await db.query(
    `insert into workspace_app (workspace_id, platform, client_id, client_secret_sealed, entered_at) values ($1, 'x', 'id', $2, now())`,
    [workspaceId, sealOld({ ...platformApp, workspaceId }, 'secret of the app of a workspace')],
  )
  await db.query(
    `insert into connect_link
       (workspace_id, id, token_hash, person_id, platforms, is_reconnect, return_secret_sealed, created_at, expires_at)
     values ($1, 'link1', '', '', '{x}', false, $2, now(), now())`,
    [workspaceId, sealOld({ ...link, workspaceId }, 'link secret')],
  )
  await db.query(
    `insert into outgoing_mail (id, letter_sealed, attempts, due_at, ends_at) values ('mail1', $1, 0, now(), now())`,
    [sealOld(letter, 'letter')],
  )
  const [secret] = authSecrets(keys)
  const key = { keys: new Map([[secret.version, secret.value]]), currentVersion: secret.version }
  const encrypt = (data: string) => symmetricEncrypt({ key, data })
  await db.query(`insert into two_factor (id, person_id, secret, backup_codes) values ('f1', $1, $2, $3)`, [
    personId,
    await encrypt('second factor'),
    await encrypt('codes'),
  ])
}

const configWith = (secretKeys: string) =>
  readConfig({ DATABASE_URL: database.url, CARILLON_SECRET_KEYS: secretKeys, CARILLON_LOG_LEVEL: 'silent' })

test('guarantee: after a rotation the new key alone opens everything; values that nobody can read are reported and left', async () => {
  const broken = seal(parseSecretKeys(`k1:${Buffer.alloc(32, 5).toString('base64')}`), letter, 'x')
  await db.query(
    `insert into outgoing_mail (id, letter_sealed, attempts, due_at, ends_at) values ('broken', $1, 0, now(), now())`,
    [broken],
  )
  const config = configWith(`${newKey},${oldKeys}`)
  const first = await rotateKeys(config)
  expect(first).toMatchObject({
    key: 'k2',
    canRemove: false,
    keysInUse: ['k1', 'k2'],
    keysToRemove: ['k1'],
    changed: {
      'connection.credentials_sealed': { changed: connections, unreadable: 0 },
      'webhook.secret_sealed': { changed: 1, unreadable: 0 },
      'connect_link.return_secret_sealed': { changed: 1, unreadable: 0 },
      'instance_app.client_secret_sealed': { changed: 1, unreadable: 0 },
      'platform_app.client_secret_sealed': { changed: 1, unreadable: 0 },
      'workspace_app.client_secret_sealed': { changed: 1, unreadable: 0 },
      'outgoing_mail.letter_sealed': { changed: 1, unreadable: 1 },
      two_factor: { changed: 1, unreadable: 0 },
      audit_head: { unreadable: 0 },
    },
  })
  expect(first.changed['audit_head']?.changed).toBeGreaterThan(0)
  await db.query(`delete from outgoing_mail where id = 'broken'`)

  // A second run, as after an interruption, finds nothing left to do.
  const second = await rotateKeys(config)
  expect(second).toMatchObject({ canRemove: true, keysInUse: ['k2'] })
  expect(Object.values(second.changed).map(({ changed }) => changed)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
}, 120_000)

test('guarantee: without the old key every secret still opens, and the audit logs are still authentic', async () => {
  const only = configWith(newKey)
  const { ctx } = server
  await checkSecretKeys(ctx.db.system, only.secretKeys)
  const { rows } = await db.query<{ id: string; sealed: Buffer }>('select id, credentials_sealed as sealed from connection')
  const texts = rows.map(({ id, sealed }) => open(only.secretKeys, { workspaceId, rowId: id, column: 'credentials' }, sealed))
  expect(new Set(texts).size).toBe(connections)
  const read = async (sql: string) => (await db.query<{ sealed: Buffer }>(sql)).rows[0]?.sealed ?? Buffer.of()
  const hook = await read('select secret_sealed as sealed from webhook')
  expect(open(only.secretKeys, { ...webhook, workspaceId }, hook)).toBe('webhook secret')
  const ofLink = await read('select return_secret_sealed as sealed from connect_link')
  expect(open(only.secretKeys, { ...link, workspaceId }, ofLink)).toBe('link secret')
  expect(open(only.secretKeys, app, await read('select client_secret_sealed as sealed from instance_app'))).toBe('app secret')
  const ofPlatform = await read('select client_secret_sealed as sealed from platform_app')
  expect(open(only.secretKeys, platformApp, ofPlatform)).toBe('secret of the platform app')
  expect(open(only.secretKeys, letter, await read('select letter_sealed as sealed from outgoing_mail'))).toBe('letter')
  const [secret] = authSecrets(only.secretKeys)
  const key = { keys: new Map([[secret.version, secret.value]]), currentVersion: secret.version }
  const factor = await db.query<{ secret: string; codes: string }>('select secret, backup_codes as codes from two_factor')
  expect(await symmetricDecrypt({ key, data: factor.rows[0]?.secret ?? '' })).toBe('second factor')
  expect(await symmetricDecrypt({ key, data: factor.rows[0]?.codes ?? '' })).toBe('codes')
  const verification = await verifyAudit({ ...ctx, config: { ...ctx.config, secretKeys: only.secretKeys } }, null)
  expect(verification.faults).toEqual([])
})
