import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { createLog } from '../../infra/log/create-log.ts'
import { createMailer } from '../../infra/mail/mailer.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { createSignInLink } from './create-sign-in-link.ts'
import { goodPassword, linkIn, openPeopleServer, type PeopleServer } from './people.fixture.ts'

/** Guarantee: a person who cannot sign in gets in again on an installation that sends no mail. */

let database: TestDatabase
let server: PeopleServer
const lines: string[] = []
beforeAll(async () => {
  database = await startDatabase()
  const log = createLog('info', { write: (line) => void lines.push(line) })
  server = openPeopleServer(database, {}, { log, mail: createMailer(null, log) })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

/** An owner as `carillon setup` creates them: without a password. */
async function newOwner(): Promise<string> {
  const email = `${newUuid()}@example.com`
  await setUpWorkspace(server.ctx, { workspace: 'Tower', email })
  return email
}

const pathOf = (link: string) => linkIn({ to: '', subject: '', text: link, html: '' })

async function setPassword(link: string, password = goodPassword): Promise<number> {
  return (await server.browser().send('POST', pathOf(link), { form: { password } })).statusCode
}

async function signIn(email: string, password = goodPassword) {
  const browser = server.browser()
  const { statusCode } = await browser.post('/auth/sign-in/email', { email, password })
  return { browser, statusCode }
}

test('the link of a forgotten password is in the log, and can be followed', async () => {
  const email = await newOwner()
  await server.browser().post('/auth/request-password-reset', { email })
  // The mail is composed after the answer.
  const line = await vi.waitUntil(() => lines.find((each) => each.includes(email)), { timeout: 10_000 })
  const { links } = JSON.parse(line) as { links: string[] }
  expect(await setPassword(links[0] ?? '')).toBe(200)
  expect((await signIn(email)).statusCode).toBe(200)
})

describe('the link of `carillon sign-in-link`', () => {
  test('sets a password once, and both are in the activity of the account', async () => {
    const email = await newOwner()
    const { link, expiresAt } = await createSignInLink(server.ctx, email.toUpperCase())
    expect(new URL(link).origin).toBe(server.origin)
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    expect(await setPassword(link)).toBe(200)
    expect(await setPassword(link, 'nine bells at dawn')).toBe(400)
    const { browser, statusCode } = await signIn(email)
    expect(statusCode).toBe(200)
    const { data } = (await browser.get('/auth/activity')).json<{ data: { action: string }[] }>()
    expect(data.map(({ action }) => action)).toEqual(['sign_in', 'password.reset', 'sign_in_link.create'])
  })

  test('does not work after its time', async () => {
    const email = await newOwner()
    const { link } = await createSignInLink(server.ctx, email)
    const past = new Date(Date.now() - 1000)
    const { system } = server.ctx.db
    const { id } = await system.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await system.updateTable('verification').set({ expires_at: past }).where('value', '=', id).execute()
    expect(await setPassword(link)).toBe(400)
    expect((await signIn(email)).statusCode).toBe(401)
  })

  test('is of this person only, and there is none for an unknown address', async () => {
    const [email, other] = [await newOwner(), await newOwner()]
    await setPassword((await createSignInLink(server.ctx, email)).link)
    expect((await signIn(other)).statusCode).toBe(401)
    await expect(createSignInLink(server.ctx, 'nobody@example.com')).rejects.toThrow('No person has the address')
  })
})
