import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { secretKeys } from '../../../test/logins.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { readConfig } from '../../config.ts'
import { listLinks } from './audit-chain.store.ts'
import { eraseEntries } from './audit.store.ts'
import { firstHash, linkHash } from './chain-hash.ts'
import { linkEntries } from './link-entries.ts'
import { recordAccountEvent, recordChange } from './record-change.ts'
import { findSeal } from './audit-seal.store.ts'
import { sealAudit, verifySince } from './seal-audit.ts'
import { verifyAudit } from './verify-audit.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'

// Guarantee T26: the hash chain shows every entry that was changed, removed or inserted later, by whomever.

let database: TestDatabase
let server: TestServer
/** The superuser, whom no right stops. */
let superuser: pg.Client
let chain = ''
let chains = 0
let media = ''
let aheadMs = 0

beforeAll(async () => {
  database = await startDatabase()
  media = await mkdtemp(join(tmpdir(), 'audit-'))
  server = openServer({ database, env: { CARILLON_MEDIA_DIR: media }, replace: { nowMs: () => Date.now() + aheadMs } })
  superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
}, 60_000)
afterAll(async () => {
  await superuser.end()
  await server.close()
  await database.stop()
  await rm(media, { recursive: true })
})

const add = (action: string, workspaceId = chain) =>
  server.ctx.db.tenant(workspaceId, (tx) =>
    recordChange(tx, {
      action,
      subjectId: 's',
      by: { workspaceId, personId: 'p', apiKeyId: null },
      nowMs: Date.now(),
      traceId: 't',
    }),
  )
const verify = (only: string | null = chain) => verifyAudit(server.ctx, only)
const faults = async () => (await verify()).faults.map(({ fault, position }) => [fault, position])
const idAt = async (position: number) =>
  (await superuser.query('select entry_id from audit_link where chain = $1 and position = $2', [chain, position])).rows[0]
    .entry_id

beforeEach(async () => {
  chain = `workspace ${++chains}`
  await superuser.query(`insert into workspace values ($1, 'W', 'w', 'free', 'UTC', null, now(), now())`, [chain])
  for (const action of ['a', 'b', 'c', 'd']) await add(action)
  await linkEntries(server.ctx)
})
afterEach(async () => {
  aheadMs = 0
  await superuser.query('delete from audit_pending')
  await superuser.query('delete from audit_seal')
  await rm(join(media, '0'.repeat(24)), { recursive: true, force: true })
})

test('an untouched log is verified, and newer entries are only counted', async () => {
  await add('e')
  expect(await verify()).toEqual({ chains: 1, entries: 4, notLinkedYet: 1, faults: [] })
  await linkEntries(server.ctx)
  expect(await verify()).toEqual({ chains: 1, entries: 5, notLinkedYet: 0, faults: [] })
})

test.each(['action', 'person_id', 'subject_id', 'trace_id'])('a changed %s is found', async (column) => {
  await superuser.query(`update audit_entry set ${column} = 'x' where workspace_id = $1 and action = 'b'`, [chain])
  expect(await faults()).toEqual([['changed', 2]])
})

test('a time that was moved by a microsecond is found', async () => {
  await superuser.query(`update audit_entry set at = at + interval '1 microsecond' where workspace_id = $1 and action = 'c'`, [
    chain,
  ])
  expect(await faults()).toEqual([['changed', 3]])
})

test('a removed entry is found', async () => {
  await superuser.query(`delete from audit_entry where workspace_id = $1 and action = 'b'`, [chain])
  expect(await faults()).toEqual([['removed', 2]])
})

test('an entry that was removed together with its link is found', async () => {
  await superuser.query(`delete from audit_entry where id = $1`, [await idAt(2)])
  await superuser.query(`delete from audit_link where chain = $1 and position = 2`, [chain])
  expect(await faults()).toContainEqual(['link missing', 2])
})

test('an end that was cut off is found, even if the head is set back', async () => {
  await superuser.query(`delete from audit_entry where id = any($1)`, [[await idAt(3), await idAt(4)]])
  await superuser.query(`delete from audit_link where chain = $1 and position > 2`, [chain])
  expect(await faults()).toEqual([['end changed', 4]])
  await superuser.query(
    `update audit_head h set position = 2, hash = l.hash from audit_link l where h.chain = $1 and l.chain = $1 and l.position = 2`,
    [chain],
  )
  expect(await faults()).toEqual([['end changed', 2]])
})

test('a chain that was computed anew after a change is found: the key is not in the database', async () => {
  await superuser.query(`update audit_entry set action = 'x' where workspace_id = $1 and action = 'b'`, [chain])
  // What an attacker with our program, but without our keys, can do.
  await superuser.query(`delete from audit_link where chain = $1`, [chain])
  await superuser.query(`delete from audit_head where chain = $1`, [chain])
  await superuser.query(`insert into audit_pending select workspace_id, id from audit_entry where workspace_id = $1`, [chain])
  const otherKey = `k1:${Buffer.alloc(32, 9).toString('base64')}`
  const { config } = server.ctx
  const { secretKeys: stolen } = readConfig({ DATABASE_URL: database.url, CARILLON_SECRET_KEYS: otherKey })
  await linkEntries({ ...server.ctx, config: { ...config, secretKeys: stolen } })
  expect(await faults()).toEqual([['end changed', 4]])
})

test('a change is found even if the hash of its own link was computed anew', async () => {
  const { rows } = await superuser.query<{ position: number; hash: Buffer }>(
    'select position::int, hash from audit_link where chain = $1 order by position',
    [chain],
  )
  await superuser.query(`update audit_entry set action = 'x' where workspace_id = $1 and action = 'b'`, [chain])
  const [link] = await server.ctx.db.system.transaction().execute((tx) => listLinks(tx, chain, { after: 1, max: 1 }))
  const forged = linkHash(rows[0]?.hash ?? firstHash, 2, link?.content ?? [])
  await superuser.query('update audit_link set hash = $2 where chain = $1 and position = 2', [chain, forged])
  expect(await faults()).toEqual([['changed', 3]])
})

test('an entry that was inserted for an earlier time is found', async () => {
  const insert = `insert into audit_entry values ($1, $2, now() - interval '1 day', null, null, 'forged', null, 't')`
  const early = v7({ msecs: Date.now() - 86_400_000 })
  await superuser.query(insert, [chain, early])
  expect(await faults()).toEqual([['not linked', null]])
  await linkEntries(server.ctx)
  expect(await faults()).toEqual([['inserted', 5]])
})

test('an entry that disappeared before it was linked is found', async () => {
  await add('e')
  await superuser.query(`delete from audit_entry where workspace_id = $1 and action = 'e'`, [chain])
  await linkEntries(server.ctx)
  expect(await faults()).toEqual([['removed', null]])
})

test('after a change of the secret key the ends are authenticated with the new one, but not one that was changed', async () => {
  const { config } = server.ctx
  const keys = `k2:${Buffer.alloc(32, 8).toString('base64')},${secretKeys}`
  const changed = readConfig({ DATABASE_URL: database.url, CARILLON_SECRET_KEYS: keys })
  const ctx = { ...server.ctx, config: { ...config, secretKeys: changed.secretKeys } }
  await superuser.query(`insert into audit_head values ('forged', 7, '\\x00', 'k1', '\\x00')`)
  await linkEntries(ctx)
  const { rows } = await superuser.query(`select chain, key_id from audit_head where chain in ('forged', $1) order by 1`, [chain])
  expect(rows).toEqual([
    { chain: 'forged', key_id: 'k1' },
    { chain, key_id: 'k2' },
  ])
  expect((await verifyAudit(ctx, chain)).faults).toEqual([])
  await superuser.query(`delete from audit_head where chain = 'forged'`)
  await superuser.query(`delete from audit_head where key_id = 'k2'`)
})

test('workers that link at the same time make one chain', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => add(`many ${n}`)))
  await Promise.all(Array.from({ length: 5 }, () => linkEntries(server.ctx)))
  while (await linkEntries(server.ctx));
  expect(await verify()).toMatchObject({ entries: 54, notLinkedYet: 0, faults: [] })
})

test('entries of people have chains too', async () => {
  const event = { personId: 'person 1', action: 'sign_in', ipAddress: '10.0.0.1', userAgent: null, traceId: 't' } as const
  for (let n = 0; n < 3; n++) await recordAccountEvent(server.ctx, server.ctx.db.system, event)
  await linkEntries(server.ctx)
  expect(await verify('person 1')).toMatchObject({ entries: 3, faults: [] })
  await superuser.query(`update account_entry set ip_address = null where person_id = 'person 1'`)
  expect((await verify('person 1')).faults).toHaveLength(3)
})

test('the chain of an erased workspace starts again, and can be erased only once', async () => {
  const erase = () =>
    server.ctx.db.tenant(chain, async (tx) => {
      await tx.deleteFrom('workspace').where('id', '=', chain).execute()
      await eraseEntries(tx, chain)
    })
  await erase()
  await add('workspace.delete')
  await linkEntries(server.ctx)
  expect(await verify()).toMatchObject({ entries: 1, faults: [] })
  await expect(erase()).rejects.toThrow('erased before')
})

test('no login of the service can change or delete entries or links', async () => {
  const change = (text: string) =>
    superuser.query(text).then(
      () => 'done',
      (error: Error) => error.message,
    )
  for (const role of ['carillon_app', 'carillon_system']) {
    for (const [table, column] of [
      ['audit_entry', 'action'],
      ['account_entry', 'action'],
      ['audit_link', 'hash'],
    ] as const) {
      await superuser.query(`begin; set local role ${role}; set local carillon.workspace = '${chain}'`)
      expect(await change(`update ${table} set ${column} = ${column}`)).toContain('permission denied')
      await superuser.query(`rollback; begin; set local role ${role}; set local carillon.workspace = '${chain}'`)
      expect(await change(`delete from ${table}`)).toContain('permission denied')
      await superuser.query('rollback')
    }
  }
})

const refused = async () => (await getMetrics(server.ctx).auditRefused.get()).values[0]?.value
/** What an administrator of the database can do: takes a log apart without an entry and queues what is left. */
async function takeApart(): Promise<void> {
  await superuser.query(`delete from audit_entry where workspace_id = $1 and action = 'b'`, [chain])
  for (const table of ['audit_link', 'audit_head', 'audit_pending'])
    await superuser.query(`delete from ${table} where chain = $1`, [chain])
  await superuser.query(
    'insert into audit_pending (chain, entry_id) select workspace_id, id from audit_entry where workspace_id = $1',
    [chain],
  )
}
/** Logs that other tests have changed are in the published files too. */
const verifyOwn = async (value: string) => {
  const { published, faults: found } = await verifySince(server.ctx, value)
  return { published, faults: found.filter((fault) => fault.chain === chain) }
}
const publishedValue = async () => {
  const seal = await findSeal(server.ctx.db.system)
  return `${seal?.counter}.${seal?.hash.toString('base64url')}`
}

test('guarantee: an end that we did not sign is not extended, so that a forged log is never signed', async () => {
  await superuser.query(`update audit_head set hash = sha256('forged') where chain = $1`, [chain])
  await add('e')
  await linkEntries(server.ctx)
  expect(await refused()).toBe(1)
  expect(await faults()).toContainEqual(['end changed', 4])
  expect(await verify()).toMatchObject({ entries: 4, notLinkedYet: 1 })
})

test('a log whose end was deleted does not begin again', async () => {
  await superuser.query('delete from audit_head where chain = $1', [chain])
  await add('e')
  await linkEntries(server.ctx)
  expect([await refused(), (await verify()).entries]).toEqual([1, 4])
})

test('guarantee: a log that was taken apart later is not linked and signed again', async () => {
  await sealAudit(server.ctx)
  aheadMs = 11 * 60_000
  await sealAudit(server.ctx)
  await takeApart()
  await linkEntries(server.ctx)
  expect([await refused(), (await verify()).entries]).toEqual([3, 0])
  aheadMs += 10 * 60_000
  expect((await faults()).map(([fault]) => fault)).toEqual(['not linked', 'not linked', 'not linked'])
  // Nor if the time in the database is set back, or removed.
  await superuser.query(`update audit_seal set at = at - interval '1 hour'`)
  await linkEntries(server.ctx)
  await superuser.query('delete from audit_seal')
  await linkEntries(server.ctx)
  expect((await verify()).entries).toBe(0)
})

test('guarantee: entries that waited while no worker ran are linked', async () => {
  await sealAudit(server.ctx)
  await add('e')
  aheadMs = 3_600_000
  await linkEntries(server.ctx)
  expect(await verify()).toMatchObject({ entries: 5, faults: [] })
})

test('guarantee: a published value shows a log that was replaced as a whole within minutes', async () => {
  await sealAudit(server.ctx)
  const value = await publishedValue()
  expect(await verifyOwn(value)).toEqual({ published: 1, faults: [] })
  await takeApart()
  await linkEntries(server.ctx)
  expect(await verify()).toMatchObject({ entries: 3, faults: [] })
  expect((await verifyOwn(value)).faults).toEqual([{ chain, position: 4, entryId: null, fault: 'published end missing' }])
})

test('a value proves the files before it, and no other file is accepted for it', async () => {
  await sealAudit(server.ctx)
  const first = await publishedValue()
  await add('e')
  aheadMs = 6 * 60_000
  await linkEntries(server.ctx)
  await sealAudit(server.ctx)
  const second = await publishedValue()
  expect(second).toMatch(/^2\./)
  expect(await verifyOwn(second)).toEqual({ published: 2, faults: [] })
  await rm(join(media, '0'.repeat(24)), { recursive: true })
  expect((await verifySince(server.ctx, first)).faults).toMatchObject([{ fault: 'published file missing' }])
  expect((await verifySince(server.ctx, '1.nonsense')).faults).toMatchObject([{ fault: 'published file missing' }])
})
