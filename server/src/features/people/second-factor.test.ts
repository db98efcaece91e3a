import { TOTP, URI } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { secretKeys } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { createAuthenticator } from './authenticator.fixture.ts'
import { goodPassword, openPeopleServer, signUpAndIn, type Browser, type PeopleServer } from './people.fixture.ts'

let database: TestDatabase
const opened: PeopleServer[] = []
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

function open(env: Record<string, string> = {}): PeopleServer {
  const server = openPeopleServer(database, env)
  opened.push(server)
  return server
}

let people = 0
const newEmail = () => `second${++people}@example.com`
const signIn = (browser: Browser, email: string) => browser.post('/auth/sign-in/email', { email, password: goodPassword })
/** The code that an authenticator app shows for the URI in its QR code. */
const totpCode = (uri: string) => URI.parse(uri).generate()
/** The code after it, which is accepted already. A code works once, so signing in needs another one than switching it on. */
const nextCode = (uri: string) => {
  const totp = URI.parse(uri)
  return totp instanceof TOTP ? totp.generate({ timestamp: Date.now() + 30_000 }) : ''
}
const registerOptions = (browser: Browser, body: object = { password: goodPassword }) =>
  browser.post('/auth/passkey/generate-register-options', body)
const isSignedIn = async (browser: Browser) => (await browser.get('/api/workspaces')).statusCode === 200

/** Guarantee: with a second factor enabled, the password alone is not enough to sign in. */
describe('a TOTP code', () => {
  async function enableTotp(server: PeopleServer) {
    const email = newEmail()
    const browser = await signUpAndIn(server, email)
    const { totpURI, backupCodes } = (await browser.post('/auth/two-factor/enable', { password: goodPassword })).json()
    const right = await browser.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
    expect(right.statusCode).toBe(200)
    return { email, totpURI: String(totpURI), backupCodes: backupCodes as string[], browser }
  }

  test('is required at the next sign-in', async () => {
    const server = open()
    const { email, totpURI, browser } = await enableTotp(server)
    expect(await isSignedIn(browser)).toBe(true)

    const other = server.browser()
    expect((await signIn(other, email)).json()).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
    expect(await isSignedIn(other)).toBe(false)
    expect((await other.post('/auth/two-factor/verify-totp', { code: '000000' })).statusCode).toBe(401)
    expect(await isSignedIn(other)).toBe(false)
    expect((await other.post('/auth/two-factor/verify-totp', { code: nextCode(totpURI) })).statusCode).toBe(200)
    expect(await isSignedIn(other)).toBe(true)

    // All of it is in the log of the account. The wrong code is recorded after its answer.
    const recorded = async () => {
      const { data } = (await other.get('/auth/activity')).json() as { data: { action: string; detail: string | null }[] }
      return data.map(({ action, detail }) => [action, detail]).toSorted()
    }
    await expect.poll(recorded).toEqual([
      ['sign_in', 'code'],
      ['sign_in', 'password'],
      ['sign_in.failed', 'code'],
      ['two_factor.enable', null],
      ['two_factor.start', null],
    ])
  })

  test('is not required before the first correct code', async () => {
    const server = open()
    const email = newEmail()
    const browser = await signUpAndIn(server, email)
    const wrong = await browser.post('/auth/two-factor/enable', { password: 'not my password' })
    expect(wrong.statusCode).toBe(400)
    await browser.post('/auth/two-factor/enable', { password: goodPassword })
    expect((await signIn(server.browser(), email)).json()).not.toHaveProperty('twoFactorRedirect')
  })

  test('can be replaced by a backup code, once', async () => {
    const server = open()
    const { email, backupCodes } = await enableTotp(server)
    const codes = []
    for (let n = 0; n < 2; n++) {
      const browser = server.browser()
      await signIn(browser, email)
      const used = await browser.post('/auth/two-factor/verify-backup-code', { code: backupCodes[0] ?? '' })
      codes.push([used.statusCode === 200, await isSignedIn(browser)])
    }
    expect(codes).toEqual([
      [true, true],
      [false, false],
    ])
  })

  test('is locked after too many wrong codes, from any browser', async () => {
    const server = open()
    const { email, totpURI } = await enableTotp(server)
    const codes = new Set<number>()
    for (let n = 0; n < 3; n++) {
      const browser = server.browser()
      await signIn(browser, email)
      for (let guess = 0; guess < 6; guess++)
        codes.add(
          (await browser.post('/auth/two-factor/verify-totp', { code: `00000${guess}` }, { from: `10.0.${n}.1` })).statusCode,
        )
    }
    expect(codes).toContain(429)
    const browser = server.browser()
    await signIn(browser, email)
    expect((await browser.post('/auth/two-factor/verify-totp', { code: nextCode(totpURI) })).statusCode).toBe(429)
  })

  /** Guarantee: somebody who saw a code cannot use it after its owner did. */
  test('works once', async () => {
    const server = open()
    const { email, totpURI } = await enableTotp(server)
    const use = async (code: string) => {
      const browser = server.browser()
      await signIn(browser, email)
      const answer = await browser.post('/auth/two-factor/verify-totp', { code })
      return [answer.statusCode, await isSignedIn(browser)]
    }
    const [earlier, code] = [totpCode(totpURI), nextCode(totpURI)]
    expect(await use(earlier)).toEqual([401, false])
    expect(await use(code)).toEqual([200, true])
    expect(await use(code)).toEqual([401, false])
    expect(await use(earlier)).toEqual([401, false])
  })

  test('that is sent several times at once works once', async () => {
    const server = open()
    const { email, totpURI } = await enableTotp(server)
    const browsers = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const browser = server.browser()
        await signIn(browser, email)
        return browser
      }),
    )
    const code = nextCode(totpURI)
    const answers = await Promise.all(browsers.map((browser) => browser.post('/auth/two-factor/verify-totp', { code })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401, 401, 401])
  })

  /** Guarantee: not more than ten codes are compared, however they are sent. */
  test('is compared ten times at most when many are sent at once', async () => {
    const server = open()
    const { email } = await enableTotp(server)
    const browsers: Browser[] = []
    for (let n = 0; n < 25; n++) {
      const browser = server.browser()
      await signIn(browser, email)
      browsers.push(browser)
    }
    const answers = await Promise.all(
      browsers.map((browser, n) =>
        browser.post('/auth/two-factor/verify-totp', { code: `3000${10 + n}` }, { from: `10.4.0.${n}` }),
      ),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 401).length).toBeLessThanOrEqual(10)
    expect(codes.filter((code) => code === 429).length).toBeGreaterThanOrEqual(15)
  }, 30_000)

  test('still works after a new secret key was added', async () => {
    const { email, totpURI } = await enableTotp(open())
    const later = open({ CARILLON_SECRET_KEYS: `k2:${Buffer.alloc(32, 9).toString('base64')},${secretKeys}` })
    const browser = later.browser()
    await signIn(browser, email)
    expect((await browser.post('/auth/two-factor/verify-totp', { code: nextCode(totpURI) })).statusCode).toBe(200)
  })

  test('has a secret that is stored encrypted', async () => {
    const server = open()
    const { totpURI } = await enableTotp(server)
    const rows = JSON.stringify(await server.ctx.db.system.selectFrom('two_factor').selectAll().execute())
    expect(rows).not.toContain(new URL(totpURI).searchParams.get('secret'))
  })
})

/** Guarantee: a passkey signs in the person who created it, if the device verified the user. */
describe('a passkey', () => {
  async function registerPasskey(server: PeopleServer) {
    const browser = await signUpAndIn(server, newEmail())
    const device = createAuthenticator(server.origin)
    const options = (await registerOptions(browser)).json()
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Carillon' },
      authenticatorSelection: { userVerification: 'required' },
    })
    const made = await browser.post('/auth/passkey/verify-registration', { response: device.register(options), name: 'Laptop' })
    expect(made.statusCode).toBe(200)
    return { browser, device }
  }

  test('signs in without a password', async () => {
    const server = open()
    const { browser, device } = await registerPasskey(server)
    expect((await browser.get('/auth/passkey/list-user-passkeys')).json()).toMatchObject([{ name: 'Laptop' }])
    const other = server.browser()
    const options = (await other.get('/auth/passkey/generate-authenticate-options')).json()
    const answer = device.authenticate(options)
    expect((await other.post('/auth/passkey/verify-authentication', { response: answer })).statusCode).toBe(200)
    expect(await isSignedIn(other)).toBe(true)
    const again = server.browser()
    for (const [name, value] of other.cookies) if (!name.endsWith('session_token')) again.cookies.set(name, value)
    expect((await again.post('/auth/passkey/verify-authentication', { response: answer })).statusCode).toBe(400)
    expect(await isSignedIn(again)).toBe(false)
  })

  test('is refused if the device did not verify the user', async () => {
    const server = open()
    const { device } = await registerPasskey(server)
    const other = server.browser()
    const options = (await other.get('/auth/passkey/generate-authenticate-options')).json()
    const response = device.authenticate(options, { isVerified: false })
    const answer = await other.post('/auth/passkey/verify-authentication', { response })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'USER_NOT_VERIFIED'])
    expect(await isSignedIn(other)).toBe(false)
  })

  test('cannot be registered without user verification or for another site', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    for (const [origin, isVerified] of [
      [server.origin, false],
      ['https://evil.example', true],
    ] as const) {
      const options = (await registerOptions(browser)).json()
      const response = createAuthenticator(origin).register(options, { isVerified })
      expect((await browser.post('/auth/passkey/verify-registration', { response })).statusCode).toBeGreaterThanOrEqual(400)
    }
    expect((await browser.get('/auth/passkey/list-user-passkeys')).json()).toEqual([])
  })

  test('cannot be registered without being signed in', async () => {
    expect((await registerOptions(open().browser())).statusCode).toBe(401)
  })
})

/** Guarantee: who only has a session of a person, at an open browser or by its cookie, cannot change how that person signs in. */
describe('a session alone', () => {
  const refusal = [403, 'confirmation_required']
  const outcome = (answer: { statusCode: number; json(): { error?: { code: string } } }) => [
    answer.statusCode,
    answer.json().error?.code,
  ]

  test('adds no passkey', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    expect((await browser.get('/auth/passkey/generate-register-options')).statusCode).toBe(404)
    expect(outcome(await registerOptions(browser, {}))).toEqual(refusal)
    expect(outcome(await registerOptions(browser, { password: 'not my password' }))).toEqual(refusal)
    // The challenge of a sign-in, which is given to everyone, is none for a new passkey.
    const options = (await browser.get('/auth/passkey/generate-authenticate-options')).json()
    const response = createAuthenticator(server.origin).register({ ...options, rp: { id: options.rpId } })
    expect((await browser.post('/auth/passkey/verify-registration', { response })).statusCode).toBe(400)
    expect((await browser.get('/auth/passkey/list-user-passkeys')).json()).toEqual([])
    const { data } = (await browser.get('/auth/activity')).json() as { data: { action: string; detail: string | null }[] }
    expect(data).toContainEqual(expect.objectContaining({ action: 'password.wrong', detail: 'adding a passkey' }))
  })

  test('removes no passkey and no other way to sign in', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    const device = createAuthenticator(server.origin)
    const options = (await registerOptions(browser)).json()
    await browser.post('/auth/passkey/verify-registration', { response: device.register(options), name: 'Laptop' })
    const [passkey] = (await browser.get('/auth/passkey/list-user-passkeys')).json() as [{ id: string }]
    const [account] = (await browser.get('/auth/list-accounts')).json() as [{ id: string }]

    expect(outcome(await browser.post('/auth/passkey/delete-passkey', { id: passkey.id }))).toEqual(refusal)
    expect(outcome(await browser.post('/auth/unlink-account', { accountId: account.id }))).toEqual(refusal)
    expect((await browser.get('/auth/passkey/list-user-passkeys')).json()).toHaveLength(1)

    const removed = await browser.post('/auth/passkey/delete-passkey', { id: passkey.id, password: goodPassword })
    expect(removed.statusCode).toBe(200)
    expect((await browser.get('/auth/passkey/list-user-passkeys')).json()).toEqual([])
  })

  test('of a person without a password adds one only within ten minutes of signing in', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    const { user } = (await browser.get('/auth/get-session')).json() as { user: { id: string } }
    await server.ctx.db.system.deleteFrom('account').where('person_id', '=', user.id).execute()
    expect((await registerOptions(browser, {})).statusCode).toBe(200)
    server.advanceClock(10 * 60_000 + 1000)
    expect(outcome(await registerOptions(browser, {}))).toEqual(refusal)
  })

  test('tries ten passwords', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    const codes = []
    for (let n = 0; n < 11; n++) codes.push((await registerOptions(browser, { password: `wrong password ${n}` })).statusCode)
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 403), 429])
    expect((await registerOptions(browser)).statusCode).toBe(429)
  })

  test('cannot be made impossible by somebody else who has the session', async () => {
    const server = open()
    const browser = await signUpAndIn(server, newEmail())
    const from = (ip: string, password: string) =>
      browser.post('/auth/passkey/generate-register-options', { password }, { from: ip })
    for (let n = 0; n < 12; n++) await from('10.9.0.1', `wrong password ${n}`)
    expect((await from('10.9.0.1', goodPassword)).statusCode).toBe(429)
    expect((await from('10.9.0.2', goodPassword)).statusCode).toBe(200)
    // Guesses from many networks are counted together all the same.
    const codes = []
    for (let n = 0; n < 60; n++) codes.push((await from(`10.9.1.${n}`, `wrong password ${n}`)).statusCode)
    expect(codes.filter((code) => code === 403).length).toBeLessThanOrEqual(50)
    expect(codes.at(-1)).toBe(429)
  })
})
