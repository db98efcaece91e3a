import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { accountRoutes } from '../people/account.routes.ts'
import { Browser, goodPassword, linkIn } from '../people/people.fixture.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { acceptRoutes } from './accept.routes.ts'
import { invitationRoutes } from './invitation.routes.ts'

const origin = 'http://localhost:3000'
const mails: Mail[] = []
let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({
    database,
    env: { CARILLON_PUBLIC_URL: origin, CARILLON_SIGN_UP: 'open' },
    replace: {
      mail: {
        async send(mail) {
          mails.push(mail)
          return 'sent'
        },
        close() {},
      },
    },
    api: [invitationRoutes, workspaceRoutes],
    root: [accountRoutes, acceptRoutes],
  })
})
afterAll(async () => {
  await server.close()
  await database.stop()
})

const newBrowser = () => new Browser(server.app, origin)

async function signUp(email: string, { confirms = true } = {}): Promise<Browser> {
  const browser = newBrowser()
  await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password: goodPassword })
  if (!confirms) return browser
  const token = new URL(linkIn(mails.at(-1)), origin).searchParams.get('token')
  const verified = await browser.post('/auth/verify', { token })
  expect(verified.json()).toEqual({ success: true, data: { email } })
  await browser.post('/auth/sign-in/email', { email, password: goodPassword })
  return browser
}

/** Invites an address to a new workspace and returns the link of the mail. */
async function invite(owner: Browser, email: string): Promise<{ link: string; workspaceId: string }> {
  const { data } = (await owner.post('/api/workspaces', { name: 'Tower' })).json()
  await owner.post(`/api/workspaces/${data.id}/invitations`, { email, role: 'editor' })
  const findMail = () => mails.findLast(({ to, text }) => to === email && text.includes(`${origin}/join?token=`))
  await expect.poll(findMail).toBeDefined()
  return { link: linkIn(findMail()), workspaceId: data.id }
}

test('guarantee: an invited person who cannot sign in yet chooses a password and has a session', async () => {
  const owner = await signUp('owner@example.com')
  const { link, workspaceId } = await invite(owner, 'new@example.com')
  const guest = newBrowser()
  expect((await guest.get(link)).json().data).toMatchObject({ email: 'new@example.com', role: 'editor', needsPassword: true })
  const weak = await guest.post(link, { name: 'Grace', password: 'password123' })
  expect(weak.json().error).toMatchObject({ code: 'request_invalid', details: [{ path: 'password' }] })
  const foreign = await guest.post(
    link,
    { name: 'Grace', password: goodPassword },
    { headers: { origin: 'https://evil.example' } },
  )
  expect(foreign.json().error.code).toBe('origin_refused')

  const joined = await guest.post(link, { name: 'Grace', password: goodPassword })
  expect(joined.json().data).toMatchObject({ workspaceId, role: 'editor', next: 'signed_in' })
  expect((await guest.get(`/api/workspaces/${workspaceId}`)).json().data).toMatchObject({ role: 'editor' })
  expect((await guest.get('/auth/get-session')).json().user).toMatchObject({ name: 'Grace', email: 'new@example.com' })
})

test('guarantee: the link never opens a session for a person who can already sign in, nor changes their password', async () => {
  const owner = await signUp('owner2@example.com')
  await signUp('known@example.com')
  const { link } = await invite(owner, 'known@example.com')
  const thief = newBrowser()
  expect((await thief.get(link)).json().data.needsPassword).toBe(false)
  const joined = await thief.post(link, { name: 'Thief', password: 'chosen by the thief' })
  expect(joined.json().data).toMatchObject({ next: 'sign_in' })
  expect((await thief.get('/auth/get-session')).json()).toBeNull()
  const signIn = (password: string) => newBrowser().post('/auth/sign-in/email', { email: 'known@example.com', password })
  expect((await signIn('chosen by the thief')).statusCode).toBe(401)
  expect((await signIn(goodPassword)).statusCode).toBe(200)
})

test('a person who signed up without confirming the address chooses a password anew', async () => {
  const owner = await signUp('owner3@example.com')
  await signUp('unconfirmed@example.com', { confirms: false })
  const { link } = await invite(owner, 'unconfirmed@example.com')
  const guest = newBrowser()
  expect((await guest.get(link)).json().data.needsPassword).toBe(true)
  expect((await guest.post(link, { name: 'Grace', password: 'nine bells at dawn' })).json().data.next).toBe('signed_in')
  const old = await newBrowser().post('/auth/sign-in/email', { email: 'unconfirmed@example.com', password: goodPassword })
  expect(old.statusCode).toBe(401)
})

test('a token that is not one is refused in JSON', async () => {
  const answer = await newBrowser().post('/auth/verify', { token: 'guess' })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'INVALID_TOKEN'])
})
