import { freePort } from '@carillon/stack/services'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { logIn, startIdentityProvider, type IdentityProvider } from './oidc.fixture.ts'
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

/** The whole way: to the provider, in, and back with what it says. */
async function come(browser: Browser, login: string) {
  const begun = await start(browser)
  const back = await logIn(begun.json().url, login, redirectUri)
  return browser.get(back.slice(origin.length))
}

const whoIs = async (browser: Browser) => (await browser.get('/auth/get-session')).json()?.user ?? null

/** Guarantee: the identity provider says who somebody is, and an address it has not checked never joins or makes an account. */
describe('signing in at an identity provider', () => {
  test('is offered by name', async () => {
    const { data } = (await open().browser().get('/auth/methods')).json()
    expect(data.oidc).toEqual({ provider: 'oidc', name: 'Guild of Ringers' })
  })

  test('makes an account, and finds it again', async () => {
    const server = open()
    const browser = server.browser()
    const answer = await come(browser, 'quasimodo')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/posts'])
    const first = await whoIs(browser)
    expect(first).toMatchObject({ email: 'quasimodo@example.com', emailVerified: true, name: 'quasimodo' })
    expect((await browser.get('/api/workspaces')).statusCode).toBe(200)
    const again = server.browser()
    await come(again, 'quasimodo')
    expect((await whoIs(again)).id).toBe(first.id)
  })

  test('keeps no token of the provider', async () => {
    const server = open()
    await come(server.browser(), 'esmeralda')
    const rows = await server.ctx.db.system.selectFrom('account').where('provider_id', '=', 'oidc').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toMatchObject({ access_token: null, refresh_token: null, id_token: null })
  })

  test('joins the account that has its checked address', async () => {
    const server = open()
    const { personId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'Phoebus@example.com' })
    const browser = server.browser()
    await come(browser, 'phoebus')
    expect((await whoIs(browser)).id).toBe(personId)
  })

  test('an unchecked address joins nobody', async () => {
    const server = open()
    await signUpAndIn(server, 'frollo@example.com')
    const browser = server.browser()
    const answer = await come(browser, 'unchecked-frollo')
    expect(answer.headers.location).toContain('/auth/error?error=account_not_linked')
    expect(await whoIs(browser)).toBeNull()
  })

  test('an unchecked address makes no account', async () => {
    const server = open()
    const browser = server.browser()
    const answer = await come(browser, 'unchecked-clopin')
    expect(answer.headers.location).toContain('/auth/error?error=email_not_verified')
    expect(await whoIs(browser)).toBeNull()
    const rows = await server.ctx.db.system.selectFrom('person').where('email', '=', 'clopin@example.com').select('id').execute()
    expect(rows).toEqual([])
    const told = await browser.get('/auth/error?error=email_not_verified')
    expect([told.statusCode, told.body.includes('has not checked')]).toEqual([400, true])
  })

  test('an operator can vouch for the provider’s addresses', async () => {
    const browser = open({ CARILLON_OIDC_TRUST_EMAIL: 'true' }).browser()
    await come(browser, 'unchecked-gringoire')
    expect(await whoIs(browser)).toMatchObject({ email: 'gringoire@example.com' })
  })

  test('does not join an account whose own address was never confirmed', async () => {
    const server = open()
    await server
      .browser()
      .post('/auth/sign-up/email', { name: 'Thief', email: 'fleur@example.com', password: 'thief was here first' })
    const browser = server.browser()
    expect((await come(browser, 'fleur')).headers.location).toContain('account_not_linked')
    expect(await whoIs(browser)).toBeNull()
  })

  test('makes no account where sign-up is closed', async () => {
    const browser = open({ CARILLON_SIGN_UP: 'closed' }).browser()
    expect((await come(browser, 'jehan')).headers.location).toContain('signup_disabled')
    expect(await whoIs(browser)).toBeNull()
  })

  test('an answer works once, and only in the browser that asked', async () => {
    const server = open()
    const browser = server.browser()
    const begun = await start(browser)
    const back = (await logIn(begun.json().url, 'djali', redirectUri)).slice(origin.length)
    const thief = server.browser()
    expect((await thief.get(back)).headers.location).toContain('/auth/error')
    expect(await whoIs(thief)).toBeNull()
    expect((await browser.get(back)).headers.location).toBe('/posts')
    expect((await browser.get(back)).headers.location).toContain('/auth/error')
  })

  test('leads nowhere but to our own pages', async () => {
    const browser = open().browser()
    for (const callbackURL of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect((await browser.post('/auth/sign-in/social', { provider: 'oidc', callbackURL })).statusCode).toBe(422)
    const token = { provider: 'oidc', idToken: { token: 'x' } }
    expect((await browser.post('/auth/sign-in/social', token)).statusCode).toBe(422)
  })
})

/** Guarantee: people with a password do not depend on the identity provider, and it is found once it is there. */
test('a provider that is down when we start', async () => {
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
    await come(browser, 'late')
    expect(await whoIs(browser)).toMatchObject({ email: 'late@example.com' })
  } finally {
    await late.close()
  }
})

test('without a provider there is nothing to sign in at', async () => {
  expect((await start(open({ CARILLON_OIDC_ISSUER: '' }).browser())).statusCode).toBe(404)
})
