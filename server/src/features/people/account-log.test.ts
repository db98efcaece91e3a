import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { linkEntries } from '../audit/link-entries.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { goodPassword, linkIn, openPeopleServer, signUpAndIn, type PeopleServer } from './people.fixture.ts'

// Guarantee T26: what happens to an account is in the log of its person, and a wrong password leaves one line in the log of the server.

let database: TestDatabase
const opened: PeopleServer[] = []
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

let people = 0
const newEmail = () => `account${++people}@example.com`

function open() {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const server = openPeopleServer(database, {}, { log })
  opened.push(server)
  return { server, lines }
}

async function activity(browser: { get(url: string): Promise<{ json(): unknown }> }): Promise<(string | null)[][]> {
  const { data } = (await browser.get('/auth/activity')).json() as { data: { action: string; detail: string | null }[] }
  return data.toReversed().map(({ action, detail }) => [action, detail])
}

test('signing in and out, changing the password and ending sessions are recorded with their origin', async () => {
  const { server } = open()
  const email = newEmail()
  const browser = await signUpAndIn(server, email)
  const other = server.browser()
  await other.post(
    '/auth/sign-in/email',
    { email, password: goodPassword },
    { from: '10.9.8.7', headers: { 'user-agent': 'Bell/1' } },
  )
  const newPassword = `${goodPassword} again`
  await browser.post('/auth/change-password', { currentPassword: goodPassword, newPassword })
  await browser.post('/auth/update-user', { name: 'New name' })
  await browser.post('/auth/revoke-other-sessions')
  await browser.post('/auth/sign-out')
  await browser.post('/auth/sign-in/email', { email, password: newPassword })
  expect(await activity(browser)).toEqual([
    ['sign_in', 'password'],
    ['sign_in', 'password'],
    ['password.change', null],
    ['profile.change', null],
    ['session.revoke', null],
    ['sign_out', null],
    ['sign_in', 'password'],
  ])
  const { data } = (await browser.get('/auth/activity')).json()
  expect(data[5]).toMatchObject({ ipAddress: '10.9.8.7', userAgent: 'Bell/1' })
  expect((await server.browser().get('/auth/activity')).statusCode).toBe(401)
})

test('a password that is reset by link is recorded', async () => {
  const { server } = open()
  const email = newEmail()
  await signUpAndIn(server, email)
  await server.browser().post('/auth/request-password-reset', { email })
  await expect.poll(() => server.mails.at(-1)?.subject).toBe('Set your password')
  const link = linkIn(server.mails.at(-1))
  await server.browser().send('POST', link, { form: { password: `${goodPassword} again` }, from: '10.4.4.4' })
  const browser = server.browser()
  await browser.post('/auth/sign-in/email', { email, password: `${goodPassword} again` })
  expect(await activity(browser)).toEqual([
    ['sign_in', 'password'],
    ['password.reset', null],
    ['sign_in', 'password'],
  ])
  expect((await browser.get('/auth/activity')).json().data[1].ipAddress).toBe('10.4.4.4')
})

test('a wrong password leaves one line without the password, and an entry if the address is known', async () => {
  const { server, lines } = open()
  const email = newEmail()
  const browser = await signUpAndIn(server, email)
  lines.length = 0
  const wrong = 'wrong and unmistakable'
  await server.browser().post('/auth/sign-in/email', { email, password: wrong }, { from: '10.6.6.6' })
  await server.browser().post('/auth/sign-in/email', { email: 'unknown@example.com', password: wrong })
  await browser.post('/auth/change-password', { currentPassword: wrong, newPassword: `${goodPassword} again` })
  await browser.post('/auth/two-factor/enable', { password: wrong })
  await expect.poll(() => lines.length).toBe(4)
  expect(lines.join('\n')).not.toContain(wrong)
  expect(lines.join('\n')).not.toContain(email)
  expect(lines.every((line) => line.includes('a wrong password or code was given'))).toBe(true)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ipAddress: '10.6.6.6', path: '/auth/sign-in/email' })
  await expect.poll(() => activity(browser)).toHaveLength(4)
  expect((await activity(browser)).slice(1).toSorted()).toEqual([
    ['password.wrong', '/change-password'],
    ['password.wrong', '/two-factor/enable'],
    ['sign_in.failed', 'password'],
  ])
})

test('the log of a person is a hash chain', async () => {
  const { server } = open()
  const browser = await signUpAndIn(server, newEmail())
  const { user } = (await browser.get('/auth/get-session')).json()
  await linkEntries(server.ctx)
  expect(await verifyAudit(server.ctx, user.id)).toMatchObject({ entries: 1, faults: [] })
})
