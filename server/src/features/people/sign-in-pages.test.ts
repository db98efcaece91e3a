import { URI } from 'otpauth'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { goodPassword, openPeopleServer, signUpAndIn, type Browser, type PeopleServer } from './people.fixture.ts'
import { signInPath } from './auth-paths.ts'

let database: TestDatabase
const opened: PeopleServer[] = []
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

function open(): PeopleServer {
  const server = openPeopleServer(database)
  opened.push(server)
  return server
}

let people = 0
const newEmail = () => `page${++people}@example.com`
/** What browsers add to a form that is sent from a page of the same site. */
const navigation = {
  accept: 'text/html',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
const press = (browser: Browser, url: string, form: Record<string, string>) =>
  browser.send('POST', url, { form, headers: navigation })
const isSignedIn = async (browser: Browser) => (await browser.get('/api/workspaces')).statusCode === 200
const back = '/integrations/confirm?attempt=1'

test('a person signs in on a page and comes back to where they were', async () => {
  const server = open()
  const email = newEmail()
  await signUpAndIn(server, email)
  const browser = server.browser()
  const page = await browser.get(signInPath(back), { headers: { accept: 'text/html' } })
  expect(page.body).toContain('type="password"')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; form-action 'self'")

  const wrong = await press(browser, signInPath(back), { email, password: 'not my password' })
  expect([wrong.statusCode, await isSignedIn(browser)]).toEqual([400, false])
  expect(wrong.body).toContain('<form method="post"')
  const right = await press(browser, signInPath(back), { email, password: goodPassword })
  expect([right.statusCode, right.headers.location, await isSignedIn(browser)]).toEqual([303, back, true])
})

test('a second factor is asked for on a page of its own', async () => {
  const server = open()
  const email = newEmail()
  const first = await signUpAndIn(server, email)
  const { totpURI, backupCodes } = (await first.post('/auth/two-factor/enable', { password: goodPassword })).json()
  await first.post('/auth/two-factor/verify-totp', { code: URI.parse(totpURI).generate() })
  const codePath = signInPath(back).replace('/sign-in', '/sign-in/code')
  // A code works once, and the one of this moment switched the second factor on.
  const nextCode = () => URI.parse(totpURI).generate({ timestamp: Date.now() + 30_000 })
  for (const code of [nextCode, () => backupCodes[0]]) {
    const browser = server.browser()
    const asked = await press(browser, signInPath(back), { email, password: goodPassword })
    expect([asked.statusCode, await isSignedIn(browser)]).toEqual([200, false])
    expect(asked.body).toContain('name="code"')
    expect((await press(browser, codePath, { code: '000000' })).statusCode).toBe(400)
    const done = await press(browser, codePath, { code: code() })
    expect([done.statusCode, done.headers.location, await isSignedIn(browser)]).toEqual([303, back, true])
  }
})

test('guarantee: the page sends nobody to another site, and another site cannot use it', async () => {
  const server = open()
  const email = newEmail()
  await signUpAndIn(server, email)
  for (const returnTo of ['https://evil.example', '//evil.example', '/.//evil.example', '/\\evil.example']) {
    const url = `/auth/sign-in?returnTo=${encodeURIComponent(returnTo)}`
    const done = await press(server.browser(), url, { email, password: goodPassword })
    expect([returnTo, done.headers.location]).toEqual([returnTo, '/'])
  }
  const browser = server.browser()
  const foreign = { form: { email, password: goodPassword }, headers: { origin: 'https://evil.example' } }
  expect((await browser.send('POST', '/auth/sign-in', foreign)).statusCode).toBe(403)
  expect(await isSignedIn(browser)).toBe(false)
})

test('the page counts attempts like the endpoint does', async () => {
  const browser = open().browser()
  const email = newEmail()
  for (let n = 0; n < 10; n++) await press(browser, '/auth/sign-in', { email, password: 'not my password' })
  expect((await press(browser, '/auth/sign-in', { email, password: 'not my password' })).body).toContain('Too many attempts')
})

test('guarantee: pages without a script, mails and the code app have the name of the operator', async () => {
  const server = openPeopleServer(database, {
    CARILLON_OPERATOR_NAME: 'Ring & Sons',
    CARILLON_OPERATOR_CONTACT: 'help@tower.example',
    CARILLON_OPERATOR_LOGO_URL: 'https://tower.example/logo.svg',
  })
  opened.push(server)
  const person = await signUpAndIn(server, newEmail())
  expect(server.mails[0]?.text).toContain('sign up for Ring & Sons.')
  expect(server.mails[0]?.text).toMatch(/Ring & Sons · help@tower\.example$/)
  const { totpURI } = (await person.post('/auth/two-factor/enable', { password: goodPassword })).json()
  expect(new URL(totpURI).searchParams.get('issuer')).toBe('Ring & Sons')
  const page = await server.browser().get(signInPath(back), { headers: { accept: 'text/html' } })
  expect(page.body).toContain('<title>Sign in · Ring &amp; Sons</title>')
  expect(page.body).not.toContain('Carillon')
  expect(page.headers['content-security-policy']).toContain('img-src https://tower.example')
})
