import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { linkEntries } from '../audit/link-entries.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { goodPassword, openPeopleServer, signUpAndIn, type Browser, type PeopleServer } from '../people/people.fixture.ts'

// Guarantee T28: a person can erase themselves, and then nothing in the database has their name or address.

let database: TestDatabase
let server: PeopleServer
let client: pg.Client
beforeAll(async () => {
  database = await startDatabase()
  server = openPeopleServer(database)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
}, 60_000)
afterAll(async () => {
  await client.end()
  await server.close()
  await database.stop()
})

let people = 0
let email = ''
let browser: Browser
let personId = ''
const erase = (body: object = { password: goodPassword }, by = browser) => by.post('/auth/erase-account', body)
const idOf = async (by: Browser): Promise<string> => (await by.get('/auth/get-session')).json().user.id

beforeEach(async () => {
  email = `erased${++people}@example.com`
  browser = await signUpAndIn(server, email)
  personId = await idOf(browser)
})

async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found = []
  for (const { name } of rows)
    if ((await client.query(`select from ${name} r where position($1 in r::text) > 0`, [text])).rowCount) found.push(name)
  return found
}

/** A workspace of another person, in which this person is a member with a key and made an invitation. */
async function joinWorkspace(): Promise<{ id: string; owner: Browser }> {
  const owner = await signUpAndIn(server, `owner${people}@example.com`)
  const { id } = (await owner.post('/api/workspaces', { name: 'Tower' })).json().data
  await client.query(`insert into member values ($1, $2, 'admin', now())`, [id, personId])
  expect((await browser.post(`/api/workspaces/${id}/api-keys`, { label: 'mine' })).statusCode).toBe(201)
  const invite = `insert into invitation values ($1, $2, $3, 'viewer', decode(md5($2), 'hex'), $4, 'sent', now() + interval '1 day', $5, now())`
  await client.query(invite, [id, 'a'.repeat(24), email, 'p', new Date()])
  await client.query(invite, [id, 'b'.repeat(24), 'guest@example.com', personId, null])
  return { id, owner }
}

test('erasing removes the person everywhere; the audit log keeps the id only', async () => {
  const { id, owner } = await joinWorkspace()
  await linkEntries(server.ctx)
  // A link to set a new password is open.
  expect((await browser.post('/auth/request-password-reset', { email })).statusCode).toBe(200)
  expect(await tablesWith(personId)).toContain('verification')
  expect((await erase()).statusCode).toBe(200)
  // The mark of a known device stays: it names no person.
  expect([...browser.cookies.keys()].filter((name) => name.includes('session'))).toEqual([])
  expect([...browser.cookies.values()].join(' ')).not.toContain(email)
  expect(await tablesWith(email)).toEqual([])
  // Events about the change, for open pages, and counts of requests name the person by id and are deleted within ten minutes.
  const kept = new Set(['audit_entry', 'outbox_event', 'live_event', 'request_window'])
  expect((await tablesWith(personId)).filter((name) => !kept.has(name))).toEqual([])
  const { data } = (await owner.get(`/api/workspaces/${id}/audit`)).json().data
  expect(data[0]).toMatchObject({ action: 'member.erase', userId: personId, subjectId: personId, email: null })
  expect((await client.query(`select from invitation where workspace_id = $1`, [id])).rowCount).toBe(0)
  expect((await client.query(`select from api_key where workspace_id = $1`, [id])).rowCount).toBe(0)
  expect((await browser.post('/auth/sign-in/email', { email, password: goodPassword })).statusCode).toBe(401)
  await linkEntries(server.ctx)
  expect((await verifyAudit(server.ctx, id)).faults).toEqual([])
})

test('the only owner of a workspace is refused, with what to do next', async () => {
  const { id } = (await browser.post('/api/workspaces', { name: 'Belfry' })).json().data
  const refused = await erase()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'last_owner'])
  expect(refused.json().error.details).toMatchObject([
    { path: `workspaces/${id}`, message: 'You are the only owner of "Belfry". Make another member its owner, or delete it.' },
  ])
  expect((await browser.send('DELETE', `/api/workspaces/${id}`)).statusCode).toBe(200)
  expect((await erase()).statusCode).toBe(200)
})

test('two owners cannot both leave a workspace at the same time', async () => {
  const { id } = (await browser.post('/api/workspaces', { name: 'Belfry' })).json().data
  const second = await signUpAndIn(server, `second${people}@example.com`)
  await client.query(`insert into member values ($1, $2, 'owner', now())`, [id, await idOf(second)])
  const answers = await Promise.all([erase(), erase({ password: goodPassword }, second)])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
})

test('the session alone is not enough', async () => {
  for (const body of [{}, { password: 'not the one' }]) {
    const refused = await erase(body)
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'confirmation_required'])
  }
  expect((await erase({ password: goodPassword }, server.browser())).json().error.code).toBe('session_ended')
  const forged = await browser.post(
    '/auth/erase-account',
    { password: goodPassword },
    { headers: { origin: 'https://evil.example' } },
  )
  expect(forged.json().error.code).toBe('origin_refused')
  expect((await browser.get('/api/workspaces')).statusCode).toBe(200)
  const { data } = (await browser.get('/auth/activity')).json()
  expect(data[0]).toMatchObject({ action: 'password.wrong', detail: 'erasing the account' })
})

test('guesses are limited', async () => {
  const codes = []
  for (let n = 0; n < 12; n++) codes.push((await erase({ password: `guess ${n}` })).statusCode)
  expect(codes.slice(-2)).toEqual([429, 429])
})

test('a person without a password needs a fresh session', async () => {
  await client.query(`delete from account where person_id = $1`, [personId])
  await client.query(`update session set created_at = now() - interval '11 minutes' where person_id = $1`, [personId])
  expect((await erase({})).json().error.code).toBe('confirmation_required')
  await client.query(`update session set created_at = now() where person_id = $1`, [personId])
  expect((await erase({})).statusCode).toBe(200)
})
