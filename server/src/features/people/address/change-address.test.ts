import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { createLog } from '../../../infra/log/create-log.ts'
import { createMailer } from '../../../infra/mail/mailer.ts'
import { goodPassword, linkIn, openPeopleServer, signUpAndIn, type Browser, type PeopleServer } from '../people.fixture.ts'
import { assignAddress, isAddress } from './change-address.ts'

/** Guarantee: an address changes only for the person who knows the password and reads the new mailbox, in a browser of theirs. */

let database: TestDatabase
let server: PeopleServer
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())
// Each test comes from another network: all together would be more sign-ins than one may try.
beforeEach(() => {
  server = openPeopleServer(database)
})
afterEach(() => server.close())

let people = 0
const newEmail = () => `mover${++people}@example.com`
const mailsTo = (email: string) => server.mails.filter(({ to }) => to === email)
const subjectsTo = (email: string) => mailsTo(email).map(({ subject }) => subject)
const emailOf = async (browser: Browser): Promise<string> => (await browser.get('/auth/get-session')).json().user.email
const idOf = async (browser: Browser): Promise<string> => (await browser.get('/auth/get-session')).json().user.id
const request = (browser: Browser, email: string, password: string | null = goodPassword) =>
  browser.post('/auth/change-address', { email, ...(password !== null && { password }) })

async function signIn(email: string, browser = server.browser(), password = goodPassword): Promise<number> {
  return (await browser.post('/auth/sign-in/email', { email, password })).statusCode
}

async function newPerson() {
  const email = newEmail()
  return { email, browser: await signUpAndIn(server, email) }
}

/** The path of the link that the person gets when they ask for this address. */
async function askFor(browser: Browser, email: string): Promise<string> {
  expect((await request(browser, email)).statusCode).toBe(200)
  await expect.poll(() => subjectsTo(email)).toContain('Confirm your new address')
  return linkIn(mailsTo(email).at(-1))
}

const open = async (browser: Browser, link: string) => (await browser.send('POST', link, { form: {} })).statusCode

async function activity(browser: Browser): Promise<(string | null)[][]> {
  const { data } = (await browser.get('/auth/activity')).json<{ data: { action: string; detail: string | null }[] }>()
  return data.map(({ action, detail }) => [action, detail])
}

describe('a person who changes their address', () => {
  test('gets a link at the new one; nothing changes until its button is pressed, and the old one hears of both', async () => {
    const { email, browser } = await newPerson()
    const wanted = newEmail()
    const mailed = await askFor(browser, wanted)
    expect(await emailOf(browser)).toBe(email)
    expect(subjectsTo(email)).toContain('Your address is about to change')
    // The mailbox may belong to somebody else by now.
    expect(mailsTo(email).some(({ text }) => text.includes(wanted))).toBe(false)

    const page = await browser.get(mailed)
    expect([page.statusCode, page.body.includes('Confirm')]).toEqual([200, true])
    expect(await emailOf(browser)).toBe(email)
    expect(await open(browser, mailed)).toBe(200)
    expect(await emailOf(browser)).toBe(wanted)
    await expect.poll(() => subjectsTo(email)).toContain('Your address was changed')
    expect((await activity(browser)).slice(0, 2)).toEqual([
      ['address.change', `${email} → ${wanted}`],
      ['address.request', null],
    ])
    expect(await signIn(wanted)).toBe(200)
    expect(await signIn(email)).toBe(401)
    // It works once.
    expect(await open(browser, mailed)).toBe(400)
  })

  test('is signed out everywhere else, and this browser is known for the new address', async () => {
    const { email, browser } = await newPerson()
    const elsewhere = server.browser()
    await signIn(email, elsewhere)
    const wanted = newEmail()
    const token = new URL(await askFor(browser, wanted), server.origin).searchParams.get('token')
    const before = browser.cookies.get('carillon.device')
    const answer = await browser.post('/auth/address', { token })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, data: { email: wanted } }])
    expect((await elsewhere.get('/auth/get-session')).json()).toBeNull()
    expect(await emailOf(browser)).toBe(wanted)
    expect(browser.cookies.get('carillon.device')).not.toBe(before)
  })

  test('ends the links that were mailed to the old address', async () => {
    const { email, browser } = await newPerson()
    await server.browser().post('/auth/request-password-reset', { email })
    await expect.poll(() => subjectsTo(email)).toContain('Set your password')
    const reset = linkIn(mailsTo(email).find(({ subject }) => subject === 'Set your password'))
    expect(await open(browser, await askFor(browser, newEmail()))).toBe(200)
    const set = await server.browser().send('POST', reset, { form: { password: `${goodPassword} again` } })
    expect(set.statusCode).toBe(400)
  })

  test('may not take the one they have, or one with which nobody could sign in', async () => {
    const { email, browser } = await newPerson()
    for (const wanted of [email, email.toUpperCase(), '', 'nobody', 'a@b', 'jürgen@example.com', 'a@b@example.com']) {
      const answer = await request(browser, wanted)
      expect([wanted, answer.statusCode, answer.json().error.details?.[0].path]).toEqual([wanted, 422, 'email'])
    }
    expect(isAddress(`${'a'.repeat(250)}@example.com`)).toBe(false)
  })
})

describe('a stolen session', () => {
  test('cannot change the address without the password', async () => {
    const { browser } = await newPerson()
    const wanted = newEmail()
    for (const password of [null, 'not the one', '']) {
      const answer = await request(browser, wanted, password)
      expect([password, answer.statusCode, answer.json().error.code]).toEqual([password, 403, 'confirmation_required'])
    }
    expect((await activity(browser))[0]).toEqual(['password.wrong', 'changing the address'])
    expect(mailsTo(wanted)).toEqual([])
    expect((await server.browser().post('/auth/change-address', { email: wanted, password: goodPassword })).statusCode).toBe(401)
  })

  test('has ten guesses of the password, however its cookie is written, and they count for every change', async () => {
    const { browser } = await newPerson()
    const name = 'carillon.session_token'
    const cookie = browser.cookies.get(name) ?? ''
    const guess = async (n: number) => {
      browser.cookies.set(
        name,
        cookie.replace(/[A-Za-z]/, (letter) => (n % 2 ? letter : `%${letter.charCodeAt(0).toString(16)}`)),
      )
      return n < 6
        ? (await request(browser, newEmail(), `guess ${n}`)).statusCode
        : (await browser.post('/auth/change-password', { currentPassword: `guess ${n}`, newPassword: goodPassword })).statusCode
    }
    const statuses = []
    for (let n = 0; n < 12; n++) statuses.push(await guess(n))
    expect(statuses.slice(0, 10)).not.toContain(429)
    expect(statuses.slice(10)).toEqual([429, 429])
  })

  test('cannot do it for a person without a password, unless they signed in a moment ago', async () => {
    const { browser } = await newPerson()
    const { system } = server.ctx.db
    const personId = await idOf(browser)
    await system.deleteFrom('account').where('person_id', '=', personId).execute()
    expect((await request(browser, newEmail(), null)).statusCode).toBe(200)
    const earlier = new Date(Date.now() - 11 * 60_000)
    await system.updateTable('session').where('person_id', '=', personId).set({ created_at: earlier }).execute()
    expect((await request(browser, newEmail(), null)).json().error.code).toBe('confirmation_required')
  })

  test('loses its pending change when the owner sets a new password', async () => {
    const { email, browser } = await newPerson()
    const link = await askFor(browser, newEmail())
    const owner = server.browser()
    await signIn(email, owner)
    const changed = { currentPassword: goodPassword, newPassword: `${goodPassword} again` }
    expect((await owner.post('/auth/change-password', changed)).statusCode).toBe(200)
    expect(await open(browser, link)).toBe(400)
    expect(await emailOf(browser)).toBe(email)
  })
})

describe('the link', () => {
  test('works only in a browser in which its person is signed in', async () => {
    const { email, browser } = await newPerson()
    const stranger = await newPerson()
    const link = await askFor(browser, newEmail())
    expect(await open(server.browser(), link)).toBe(401)
    expect(await open(stranger.browser, link)).toBe(400)
    expect([await emailOf(browser), await emailOf(stranger.browser)]).toEqual([email, stranger.email])
    const page = await server.browser().get(link)
    expect([page.statusCode, page.headers.location]).toEqual([303, `/auth/sign-in?returnTo=${encodeURIComponent(link)}`])
    expect(await open(browser, link)).toBe(200)
  })

  test('is for the address to which it was mailed, and ends after an hour', async () => {
    const { email, browser } = await newPerson()
    const link = await askFor(browser, newEmail())
    const token = new URL(link, server.origin).searchParams.get('token') ?? ''
    const other = `${token.split('.')[0]}.${Buffer.from(newEmail()).toString('base64url')}`
    for (const guess of [other, '', 'guess', `${token}x`])
      expect([guess, (await browser.post('/auth/address', { token: guess })).statusCode]).toEqual([guess, 400])
    const past = new Date(Date.now() - 1000)
    const links = server.ctx.db.system.updateTable('verification').where('value', '=', await idOf(browser))
    await links.set({ expires_at: past }).execute()
    expect(await open(browser, link)).toBe(400)
    expect(await emailOf(browser)).toBe(email)
  })

  test('does nothing when somebody signed up with the address meanwhile', async () => {
    const { email, browser } = await newPerson()
    const wanted = newEmail()
    const link = await askFor(browser, wanted)
    await signUpAndIn(server, wanted)
    expect(await open(browser, link)).toBe(400)
    expect(await emailOf(browser)).toBe(email)
  })
})

describe('an address that another person has', () => {
  test('is answered like any other, and only its owner learns about it', async () => {
    const { email, browser } = await newPerson()
    const taken = await newPerson()
    const [known, unknown] = [await request(browser, taken.email), await request(browser, newEmail())]
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
    await expect.poll(() => subjectsTo(taken.email)).toContain('This address has an account already')
    expect(mailsTo(taken.email).at(-1)?.text).not.toContain(email)
    await expect.poll(() => subjectsTo(email).filter((each) => each.includes('about to change'))).toHaveLength(2)
  })

  test('can be asked for only a few times an hour', async () => {
    const { browser } = await newPerson()
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await request(browser, newEmail())).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('`carillon change-address`', () => {
  test('changes the address, signs the person out, and is in the activity of the account', async () => {
    const { email, browser } = await newPerson()
    const [personId, wanted] = [await idOf(browser), newEmail()]
    expect(await assignAddress(server.ctx, { from: email.toUpperCase(), to: wanted })).toEqual({
      personId,
      from: email,
      to: wanted,
    })
    expect((await browser.get('/auth/get-session')).json()).toBeNull()
    expect(await signIn(wanted, browser)).toBe(200)
    expect((await activity(browser))[1]).toEqual(['address.assign', `${email} → ${wanted}`])
    expect(subjectsTo(email)).toContain('Your address was changed')
  })

  test('confirms no address: a person who never did still has to', async () => {
    const from = newEmail()
    await server.browser().post('/auth/sign-up/email', { name: 'Ringer', email: from, password: goodPassword })
    const { personId } = await assignAddress(server.ctx, { from, to: newEmail() })
    const row = server.ctx.db.system.selectFrom('person').select('email_verified').where('id', '=', personId)
    expect(await row.executeTakeFirst()).toEqual({ email_verified: false })
  })

  test('says what is wrong with an address', async () => {
    const [one, other] = [await newPerson(), await newPerson()]
    const change = (from: string, to: string) => assignAddress(server.ctx, { from, to })
    await expect(change('nobody@example.com', newEmail())).rejects.toThrow('No person has the address')
    await expect(change(one.email, other.email)).rejects.toThrow('Another person has the address')
    await expect(change(one.email, 'nonsense')).rejects.toThrow('is not an e-mail address')
  })
})

test('without a mail server, the link is in the log of the server', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const quiet = openPeopleServer(database, {}, { log, mail: createMailer(null, log) })
  try {
    const { email } = await newPerson()
    const browser = quiet.browser()
    await signIn(email, browser)
    const wanted = newEmail()
    expect((await request(browser, wanted)).statusCode).toBe(200)
    await expect.poll(() => lines.some((line) => line.includes(wanted) && line.includes('/address?token='))).toBe(true)
  } finally {
    await quiet.close()
  }
})
