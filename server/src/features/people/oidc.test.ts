import { freePort, startIdentityProvider, type IdentityProvider } from '@carillon/stack/services'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { logIn } from './oidc.fixture.ts'
import { openPeopleServer, signUpAndIn, type Browser, type PeopleServer } from './people.fixture.ts'

let database: TestDatabase
let provider: IdentityProvider
const opened: PeopleServer[] = []
const origin = 'http://localhost:3000'
const redirectUri = `${origin}/auth/callback/oidc`
beforeAll(async () => {
  ;[database, provider] = await Promise.all([startDatabase(), startIdentityProvider({ redirectUri })])
}, 60_000)
afterAll(async () => {
  await provider.close()
  await database.stop()
})
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close()
})

function open(env: Record<string, string> = {}): PeopleServer {
  const server = openPeopleServer(database, {
    CARILLON_OIDC_ISSUER: provider.issuer,
    CARILLON_OIDC_CLIENT_ID: 'carillon',
    CARILLON_OIDC_CLIENT_SECRET: 'a secret of the provider',
    CARILLON_OIDC_NAME: 'Guild of Ringers',
    ...env,
  })
  opened.push(server)
  return server
}

const start = (browser: Browser) => browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL: '/posts' })

/** Starts at our server, logs in at the provider and follows the redirect back. */
async function signInWithOidc(browser: Browser, login: string) {
  const started = await start(browser)
  const back = await logIn(started.json().url, login, redirectUri)
  return browser.get(back.slice(origin.length))
}

const currentUser = async (browser: Browser) => (await browser.get('/auth/get-session')).json()?.user ?? null

/** Guarantee: the identity provider identifies people, and an address it has not verified is never linked and creates no account. */
describe('signing in with an identity provider', () => {
  test('is listed with the provider’s name', async () => {
    const { data } = (await open().browser().get('/auth/methods')).json()
    expect(data.oidc).toEqual({ provider: 'oidc', name: 'Guild of Ringers' })
  })

  test('creates an account at the first sign-in and uses it again at the next', async () => {
    const server = open()
    const browser = server.browser()
    const answer = await signInWithOidc(browser, 'quasimodo')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/posts'])
    const first = await currentUser(browser)
    expect(first).toMatchObject({ email: 'quasimodo@example.com', emailVerified: true, name: 'quasimodo' })
    expect((await browser.get('/api/workspaces')).statusCode).toBe(200)
    const again = server.browser()
    await signInWithOidc(again, 'quasimodo')
    expect((await currentUser(again)).id).toBe(first.id)
  })

  test('starts from the page without a script too', async () => {
    const browser = open().browser()
    const page = await browser.get('/auth/sign-in?returnTo=/posts', { headers: { accept: 'text/html' } })
    const href = /<a href="([^"]+)">Guild of Ringers/.exec(page.body)?.[1] ?? ''
    const started = await browser.get(href.replaceAll('&amp;', '&'))
    expect(started.statusCode).toBe(303)
    const back = await logIn(started.headers.location ?? '', 'gringoire', redirectUri)
    expect((await browser.get(back.slice(origin.length))).headers.location).toBe('/posts')
    expect(await currentUser(browser)).toMatchObject({ email: 'gringoire@example.com' })
  })

  test('stores no tokens of the provider', async () => {
    const server = open()
    await signInWithOidc(server.browser(), 'esmeralda')
    const rows = await server.ctx.db.system.selectFrom('account').where('provider_id', '=', 'oidc').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toMatchObject({ access_token: null, refresh_token: null, id_token: null })
  })

  test('is linked to the account that has its verified address', async () => {
    const server = open()
    const { personId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'Phoebus@example.com' })
    const browser = server.browser()
    await signInWithOidc(browser, 'phoebus')
    expect((await currentUser(browser)).id).toBe(personId)
  })

  test('an unverified address is not linked to an account', async () => {
    const server = open()
    await signUpAndIn(server, 'frollo@example.com')
    const browser = server.browser()
    const answer = await signInWithOidc(browser, 'unverified-frollo')
    expect(answer.headers.location).toContain('/auth/error?error=account_not_linked')
    expect(await currentUser(browser)).toBeNull()
  })

  test('an unverified address creates no account', async () => {
    const server = open()
    const browser = server.browser()
    const answer = await signInWithOidc(browser, 'unverified-clopin')
    expect(answer.headers.location).toContain('/auth/error?error=email_not_verified')
    expect(await currentUser(browser)).toBeNull()
    const rows = await server.ctx.db.system.selectFrom('person').where('email', '=', 'clopin@example.com').select('id').execute()
    expect(rows).toEqual([])
    const page = await browser.get('/auth/error?error=email_not_verified')
    expect([page.statusCode, page.body.includes('has not verified')]).toEqual([400, true])
  })

  test('CARILLON_OIDC_TRUST_EMAIL accepts unverified addresses', async () => {
    const browser = open({ CARILLON_OIDC_TRUST_EMAIL: 'true' }).browser()
    await signInWithOidc(browser, 'unverified-gringoire')
    expect(await currentUser(browser)).toMatchObject({ email: 'gringoire@example.com' })
  })

  test('is not linked to an account whose own address was never confirmed', async () => {
    const server = open()
    await server
      .browser()
      .post('/auth/sign-up/email', { name: 'Thief', email: 'fleur@example.com', password: 'thief was here first' })
    const browser = server.browser()
    expect((await signInWithOidc(browser, 'fleur')).headers.location).toContain('account_not_linked')
    expect(await currentUser(browser)).toBeNull()
  })

  test('creates no account while sign-up is closed', async () => {
    const browser = open({ CARILLON_SIGN_UP: 'closed' }).browser()
    expect((await signInWithOidc(browser, 'jehan')).headers.location).toContain('signup_disabled')
    expect(await currentUser(browser)).toBeNull()
  })

  test('a redirect back works once, and only in the browser that started the sign-in', async () => {
    const server = open()
    const browser = server.browser()
    const started = await start(browser)
    const back = (await logIn(started.json().url, 'djali', redirectUri)).slice(origin.length)
    const thief = server.browser()
    expect((await thief.get(back)).headers.location).toContain('/auth/error')
    expect(await currentUser(thief)).toBeNull()
    expect((await browser.get(back)).headers.location).toBe('/posts')
    expect((await browser.get(back)).headers.location).toContain('/auth/error')
  })

  test('redirects to our own pages only', async () => {
    const browser = open().browser()
    for (const callbackURL of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect((await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL })).statusCode).toBe(422)
    const token = { provider: 'oidc', idToken: { token: 'x' } }
    expect((await browser.post('/auth/sign-in/social', token)).statusCode).toBe(422)
  })
})

/** Guarantee: people with a password do not depend on the identity provider, and it is used as soon as it is up. */
test('a provider that is down at start', async () => {
  const port = await freePort()
  const server = open({ CARILLON_OIDC_ISSUER: `http://127.0.0.1:${port}` })
  await signUpAndIn(server, 'early@example.com')
  const refused = await start(server.browser())
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    503,
    'Guild of Ringers is not answering; try again shortly.',
  ])
  const late = await startIdentityProvider({ port, redirectUri })
  try {
    const browser = server.browser()
    await signInWithOidc(browser, 'late')
    expect(await currentUser(browser)).toMatchObject({ email: 'late@example.com' })
  } finally {
    await late.close()
  }
})

test('without a configured provider its routes are not served', async () => {
  expect((await start(open({ CARILLON_OIDC_ISSUER: '' }).browser())).statusCode).toBe(404)
})
