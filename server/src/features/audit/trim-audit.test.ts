import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { secretKeys } from '../../../test/logins.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { readConfig } from '../../config.ts'
import type { Context } from '../../context.ts'
import { eraseEntries } from './audit.store.ts'
import { linkEntries } from './link-entries.ts'
import { recordAccountEvent, recordChange } from './record-change.ts'
import { trimAudit } from './trim-audit.ts'
import { verifyAudit } from './verify-audit.ts'

// Guarantee: old entries are deleted only if the operator wants it, and the verification still finds every change of what is left.

const dayMs = 86_400_000
let database: TestDatabase
let server: TestServer
/** The superuser, whom no right stops. */
let superuser: pg.Client
let chain = ''
let chains = 0

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, env: { CARILLON_AUDIT_DAYS: '90' } })
  superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
}, 60_000)
afterAll(async () => {
  await superuser.end()
  await server.close()
  await database.stop()
})

const at = (daysAgo: number): Context => ({ ...server.ctx, nowMs: () => Date.now() - daysAgo * dayMs })
/** An entry that was linked this many days ago. */
async function add(action: string, daysAgo: number): Promise<void> {
  const by = { workspaceId: chain, personId: 'p', apiKeyId: null }
  await server.ctx.db.tenant(chain, (tx) =>
    recordChange(tx, { action, subjectId: 's', by, nowMs: Date.now() - daysAgo * dayMs, traceId: 't' }),
  )
  await linkEntries(at(daysAgo))
}
async function trim(ctx: Context = server.ctx): Promise<void> {
  while (await trimAudit(ctx));
}
const verify = () => verifyAudit(server.ctx, chain)
const faults = async () => (await verify()).faults.map(({ fault, position }) => [fault, position])
const actions = async () => {
  const { rows } = await superuser.query<{ action: string }>(
    'select action from audit_entry where workspace_id = $1 order by id',
    [chain],
  )
  return rows.map(({ action }) => action).join('')
}
const change = (text: string) =>
  superuser.query(text).then(
    () => 'done',
    (error: Error) => error.message,
  )

beforeEach(async () => {
  chain = `workspace ${++chains}`
  await superuser.query(`insert into workspace values ($1, 'W', 'w', 'free', 'UTC', null, now(), now())`, [chain])
  for (const [action, daysAgo] of [
    ['a', 120],
    ['b', 100],
    ['c', 95],
    ['d', 80],
    ['e', 1],
  ] as const)
    await add(action, daysAgo)
})
// A log that a test has broken is reported in every later pass.
afterEach(() =>
  superuser.query('delete from audit_head; delete from audit_link; delete from audit_entry; delete from audit_start'),
)

test('without the setting all entries stay', async () => {
  await trim({ ...server.ctx, config: { ...server.ctx.config, auditDays: null } })
  expect(await actions()).toBe('abcde')
})

test('older entries are deleted, and the rest is verified from the new start', async () => {
  await trim()
  expect(await actions()).toBe('de')
  expect(await verify()).toEqual({ chains: 1, entries: 2, notLinkedYet: 0, faults: [] })
  await add('f', 0)
  await trim(at(-85))
  expect(await actions()).toBe('ef')
  expect(await verify()).toMatchObject({ entries: 2, faults: [] })
})

test('the newest entry stays, however old it is', async () => {
  await trim(at(-500))
  expect(await actions()).toBe('e')
  expect(await verify()).toMatchObject({ entries: 1, faults: [] })
})

test('a change of what is left is found', async () => {
  await trim()
  await superuser.query(`update audit_entry set action = 'x' where workspace_id = $1 and action = 'd'`, [chain])
  expect(await faults()).toEqual([['changed', 4]])
})

test('a start that was moved or removed is found', async () => {
  await trim()
  await superuser.query(
    `update audit_start s set position = 4, hash = l.hash from audit_link l where s.chain = $1 and l.chain = $1 and l.position = 4`,
    [chain],
  )
  await superuser.query('delete from audit_link where chain = $1 and position = 4', [chain])
  expect(await faults()).toContainEqual(['start changed', 4])
  await superuser.query('delete from audit_start where chain = $1', [chain])
  expect(await faults()).toContainEqual(['link missing', 1])
})

test('a log that was changed is not trimmed, so that the fault stays visible', async () => {
  await superuser.query(`update audit_entry set action = 'x' where workspace_id = $1 and action = 'b'`, [chain])
  await trim()
  expect(await actions()).toBe('axcde')
  expect(await faults()).toEqual([['changed', 2]])
})

test('a login of the service cannot delete new entries, and the deletion of old ones without the key is found', async () => {
  const forge = async (position: number) => {
    await superuser.query('set role carillon_system')
    await superuser.query(
      `insert into audit_start values ($1, $2, '\\x00', 'k1', '\\x00') on conflict (chain) do update set position = $2`,
      [chain, position],
    )
    const result = await change(`select trim_audit('${chain}', ${position})`)
    await superuser.query('reset role')
    return result
  }
  expect(await forge(5)).toContain('last 30 days')
  expect(await change(`set role carillon_system; select trim_audit('${chain}', 2)`)).toContain('has no start')
  await superuser.query('reset role')
  expect(await forge(3)).toBe('done')
  expect(await faults()).toContainEqual(['start changed', 3])
})

test('logs of people are trimmed too', async () => {
  const event = { personId: 'person 1', action: 'sign_in', ipAddress: '10.0.0.1', userAgent: null, traceId: 't' } as const
  for (const daysAgo of [200, 150, 2]) {
    await recordAccountEvent(server.ctx, server.ctx.db.system, event)
    await linkEntries(at(daysAgo))
  }
  await trim()
  expect(await verifyAudit(server.ctx, 'person 1')).toMatchObject({ entries: 1, faults: [] })
  const { rows } = await superuser.query(`select 1 from account_entry where person_id = 'person 1'`)
  expect(rows).toHaveLength(1)
})

test('after a change of the secret key the starts are authenticated with the new one', async () => {
  await trim()
  const keys = `k2:${Buffer.alloc(32, 8).toString('base64')},${secretKeys}`
  const changed = readConfig({ DATABASE_URL: database.url, CARILLON_SECRET_KEYS: keys }).secretKeys
  await linkEntries({ ...server.ctx, config: { ...server.ctx.config, secretKeys: changed } })
  const onlyNew = { ...changed, keys: new Map([...changed.keys].filter(([id]) => id === 'k2')) }
  const ctx = { ...server.ctx, config: { ...server.ctx.config, secretKeys: onlyNew } }
  expect(await verifyAudit(ctx, chain)).toMatchObject({ entries: 2, faults: [] })
})

test('the start of an erased log is erased with it', async () => {
  await trim()
  await server.ctx.db.tenant(chain, async (tx) => {
    await tx.deleteFrom('workspace').where('id', '=', chain).execute()
    await eraseEntries(tx, chain)
  })
  await add('workspace.delete', 0)
  expect(await verify()).toMatchObject({ entries: 1, faults: [] })
})

test('a setting that would delete entries of the last weeks is refused', () => {
  const read = (days: string) =>
    readConfig({ DATABASE_URL: database.url, CARILLON_SECRET_KEYS: secretKeys, CARILLON_AUDIT_DAYS: days }).auditDays
  expect([read('0'), read('30')]).toEqual([null, 30])
  expect(() => read('7')).toThrow('at least 30')
})
