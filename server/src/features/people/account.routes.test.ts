import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { goodPassword, linkIn, openWorld, signedIn, type Browser, type World } from './people.fixture.ts'
import { provePerson } from './prove-person.ts'
import { sweepAccounts } from './sweep-accounts.ts'

let database: TestDatabase
const opened: World[] = []
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})

function open(env: Record<string, string> = {}): World {
  const world = openWorld(database, env)
  opened.push(world)
  return world
}

let people = 0
const newEmail = () => `ringer${++people}@example.com`
const codeOf = (answer: { json(): { code?: string; error?: { code: string } } }) =>
  answer.json().error?.code ?? answer.json().code
const signIn = (browser: Browser, email: string, password: string) => browser.post('/auth/sign-in/email', { email, password })

/** Guarantee: only who reads the mail of an address gets an account with it, and nobody learns who has one. */
describe('signing up', () => {
  test('an account works once its address is confirmed', async () => {
    const world = open()
    const browser = world.browser()
    const email = newEmail()
    const made = await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password: goodPassword })
    expect(made.statusCode).toBe(200)
    expect(browser.cookies.size).toBe(0)
    expect((await signIn(browser, email, goodPassword)).statusCode).toBe(403)

    const link = linkIn(world.mails[0])
    const page = await browser.get(link)
    expect(page.body).toContain('<form method="post"')
    expect((await signIn(browser, email, goodPassword)).statusCode).toBe(403)
    expect((await browser.send('POST', link, { form: {} })).body).toContain('Confirmed')
    expect((await signIn(browser, email.toUpperCase(), goodPassword)).statusCode).toBe(200)
    expect((await browser.get('/auth/get-session')).json()).toMatchObject({ user: { email, emailVerified: true } })
  })

  test('an address that is taken answers the same, and its owner gets a link', async () => {
    const world = open()
    const email = newEmail()
    await signedIn(world, email)
    const [taken, free] = [email, newEmail()]
    const answers = []
    for (const each of [taken, free])
      answers.push(await world.browser().post('/auth/sign-up/email', { name: 'R', email: each, password: goodPassword }))
    const shapes = answers.map((each) => [each.statusCode, Object.keys(each.json().user), each.json().token])
    expect(shapes[0]).toEqual(shapes[1])
    await expect.poll(() => world.mails.filter(({ to }) => to === taken).at(-1)?.subject).toBe('Set your password')
  })

  test.each([
    ['short', 'PASSWORD_TOO_SHORT'],
    ['Password123!', 'PASSWORD_COMMON'],
    ['qwertyuiop', 'PASSWORD_COMMON'],
    ['aaaaaaaaaaaaaaa', 'PASSWORD_COMMON'],
  ])('the password %s is refused', async (password, code) => {
    const answer = await open().browser().post('/auth/sign-up/email', { name: 'R', email: newEmail(), password })
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, code])
  })

  test('it can be closed', async () => {
    const browser = open({ CARILLON_SIGN_UP: 'closed' }).browser()
    const answer = await browser.post('/auth/sign-up/email', { name: 'R', email: newEmail(), password: goodPassword })
    expect(codeOf(answer)).toBe('EMAIL_PASSWORD_SIGN_UP_DISABLED')
    expect((await browser.get('/auth/methods')).json().data).toEqual({ password: true, passkey: true, signUp: false, oidc: null })
  })

  test('passwords are kept as argon2id', async () => {
    const world = open()
    await signedIn(world, newEmail())
    const rows = await world.ctx.db.system.selectFrom('account').selectAll().execute()
    expect(JSON.stringify(rows)).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })
})

/** Guarantee: who came by `setup` or an invitation sets a first password by a mailed link, which works once. */
describe('the mailed link', () => {
  test('a person without a password gets one', async () => {
    const world = open()
    const email = `Setup.${newEmail()}`
    const { workspaceId } = await setUpWorkspace(world.ctx, { workspace: 'Tower', email })
    const browser = world.browser()
    expect((await signIn(browser, email, goodPassword)).statusCode).toBe(401)
    expect((await browser.post('/auth/request-password-reset', { email })).statusCode).toBe(200)
    await expect.poll(() => world.mails.length).toBe(1)
    const link = linkIn(world.mails[0])
    expect((await browser.get(link)).body).toContain('type="password"')
    const common = await browser.send('POST', link, { form: { password: 'password123' } })
    expect([common.statusCode, common.body.includes('anybody would try')]).toEqual([400, true])
    expect((await browser.send('POST', link, { form: { password: goodPassword } })).body).toContain('Password set')
    expect((await browser.send('POST', link, { form: { password: goodPassword } })).statusCode).toBe(400)
    expect((await signIn(browser, email, goodPassword)).statusCode).toBe(200)
    const workspace = await browser.get(`/api/workspaces/${workspaceId}`)
    expect(workspace.json().data).toMatchObject({ name: 'Tower', role: 'owner' })
  })

  test('a new password ends every session', async () => {
    const world = open()
    const email = newEmail()
    const browser = await signedIn(world, email)
    await world.browser().post('/auth/request-password-reset', { email })
    await expect.poll(() => world.mails.at(-1)?.subject).toBe('Set your password')
    const set = await world.browser().send('POST', linkIn(world.mails.at(-1)), { form: { password: `${goodPassword} again` } })
    expect(set.statusCode).toBe(200)
    expect(codeOf(await browser.get('/api/workspaces'))).toBe('session_ended')
  })

  test('whoever took an address before its owner loses it to them', async () => {
    const world = open()
    const email = newEmail()
    await world.browser().post('/auth/sign-up/email', { name: 'Thief', email, password: 'thief was here first' })
    await world.browser().post('/auth/request-password-reset', { email })
    await expect.poll(() => world.mails.at(-1)?.subject).toBe('Set your password')
    await world.browser().send('POST', linkIn(world.mails.at(-1)), { form: { password: goodPassword } })
    expect((await signIn(world.browser(), email, 'thief was here first')).statusCode).toBe(401)
    expect((await signIn(world.browser(), email, goodPassword)).statusCode).toBe(200)
  })
})

/** Guarantee: the link of an invitation proves an address; what somebody set up with it before without proof is gone. */
describe('proving a person', () => {
  const idOf = async ({ ctx }: World, email: string) =>
    (await ctx.db.system.selectFrom('person').where('email', '=', email).select('id').executeTakeFirstOrThrow()).id

  test('takes away the password of whoever did not prove the address', async () => {
    const world = open()
    const email = newEmail()
    await world.browser().post('/auth/sign-up/email', { name: 'Thief', email, password: goodPassword })
    const id = await idOf(world, email)
    await world.ctx.db.system.transaction().execute((tx) => provePerson(tx, id))
    await world.browser().send('POST', linkIn(world.mails[0]), { form: {} })
    expect((await signIn(world.browser(), email, goodPassword)).statusCode).toBe(401)
  })

  test('changes nothing for whoever had', async () => {
    const world = open()
    const email = newEmail()
    const browser = await signedIn(world, email)
    const id = await idOf(world, email)
    await world.ctx.db.system.transaction().execute((tx) => provePerson(tx, id))
    expect((await browser.get('/api/workspaces')).statusCode).toBe(200)
    expect((await signIn(world.browser(), email, goodPassword)).statusCode).toBe(200)
  })
})

test('what has ended is swept away, and nothing else', async () => {
  const world = open()
  const browser = await signedIn(world, newEmail())
  await world.browser().post('/auth/request-password-reset', { email: newEmail() })
  await sweepAccounts(world.ctx)
  expect((await browser.get('/api/workspaces')).statusCode).toBe(200)
  world.pass(8 * 24 * 3600_000)
  await sweepAccounts(world.ctx)
  for (const table of ['session', 'verification', 'attempt_window'] as const)
    expect([table, await world.ctx.db.system.selectFrom(table).selectAll().execute()]).toEqual([table, []])
})

/** Guarantee T23: guessing is slow, for an account that exists as for one that does not. */
describe('guessing', () => {
  test('of 1,000 wrong passwords ten are looked at', async () => {
    const world = open()
    const known = newEmail()
    await signedIn(world, known)
    for (const [email, tries] of [
      [known, 1000],
      ['nobody@example.com', 50],
    ] as const) {
      const seen = new Map<number, number>()
      for (let n = 0; n < tries; n++) {
        const from = `10.1.${n >> 8}.${n & 255}`
        const answer = await world.browser().post('/auth/sign-in/email', { email, password: `wrong ${n}` }, { from })
        seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1)
      }
      expect(Object.fromEntries(seen)).toEqual({ 401: 10, 429: tries - 10 })
    }
    const right = await signIn(world.browser(), known, goodPassword)
    expect(right.statusCode).toBe(429)
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
    world.pass(15 * 60_000)
    expect((await signIn(world.browser(), known, goodPassword)).statusCode).toBe(200)
  }, 60_000)

  test('a caller that tries many addresses is slowed down', async () => {
    const world = open()
    const codes = []
    for (let n = 0; n < 70; n++) codes.push((await world.browser().post('/auth/sign-out')).statusCode)
    expect(codes.filter((code) => code === 429)).toHaveLength(10)
  })

  test('mails to an address are few', async () => {
    const world = open()
    const email = newEmail()
    const codes = []
    for (let n = 0; n < 8; n++) codes.push((await world.browser().post('/auth/request-password-reset', { email })).statusCode)
    expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  })

  test('a wrong password takes as long as an unknown address', async () => {
    const world = open()
    const known = newEmail()
    await signedIn(world, known)
    const times: Record<string, number[]> = { known: [], unknown: [] }
    for (let n = 0; n < 40; n++) {
      for (const [kind, email] of Object.entries({ known, unknown: `unknown${n}@example.com` })) {
        await world.ctx.db.system.deleteFrom('attempt_window').execute()
        const begin = performance.now()
        await world.browser().post('/auth/sign-in/email', { email, password: 'not the one' }, { from: `10.2.${n}.1` })
        times[kind]?.push(performance.now() - begin)
      }
    }
    const [one = 0, other = 0] = Object.values(times).map((all) => all.toSorted((a, b) => a - b)[20])
    // The guarantee is 5 %; a busy machine is granted more.
    expect(Math.abs(one - other) / Math.max(one, other)).toBeLessThan(0.3)
  })
})

/** Guarantee T21: a session is as good as a key on every endpoint, for our own pages only, and ends when it is ended. */
describe('a session on the API', () => {
  test('makes a workspace and is noted there without a key', async () => {
    const browser = await signedIn(open(), newEmail())
    const made = await browser.post('/api/workspaces', { name: 'Belfry' }, { headers: { 'idempotency-key': 'first' } })
    expect(made.statusCode).toBe(201)
    const { id } = made.json().data
    expect((await browser.get('/api/workspaces')).json().data).toMatchObject([{ id, role: 'owner' }])
    const audit = (await browser.get(`/api/workspaces/${id}/audit`)).json().data
    expect(audit.data).toMatchObject([{ action: 'workspace.create', apiKeyId: null }])
  })

  test.each([['https://evil.example'], ['null'], ['http://localhost:3000.evil.example'], ['']])(
    'a change asked for by "%s" is refused and does nothing',
    async (origin) => {
      const browser = await signedIn(open(), newEmail())
      const id: string = (await browser.post('/api/workspaces', { name: 'Belfry' })).json().data.id
      const forged = { headers: { origin } }
      for (const [method, url, body] of [
        ['POST', '/api/workspaces', { name: 'Forged' }],
        ['PATCH', `/api/workspaces/${id}`, { name: 'Forged' }],
        ['DELETE', `/api/workspaces/${id}`, undefined],
        ['POST', '/auth/sign-out', {}],
        ['POST', '/auth/two-factor/enable', { password: goodPassword }],
      ] as const) {
        const answer = await browser.send(method, url, { ...forged, ...(body && { body }) })
        expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'origin_refused'])
      }
      expect((await browser.get('/api/workspaces')).json().data).toMatchObject([{ id, name: 'Belfry' }])
    },
  )

  test('a key needs no origin, and goes before a cookie', async () => {
    const world = open()
    const browser = await signedIn(world, newEmail())
    const { apiKey } = await setUpWorkspace(world.ctx, { workspace: 'Tower', email: newEmail() })
    const headers = { authorization: `Bearer ${apiKey}`, origin: 'https://elsewhere.example' }
    expect((await browser.post('/api/workspaces', { name: 'By key' }, { headers })).statusCode).toBe(201)
    expect((await browser.get('/api/workspaces')).json().data).toEqual([])
  })

  test('signing out ends it on the server', async () => {
    const world = open()
    const browser = await signedIn(world, newEmail())
    const kept = new Map(browser.cookies)
    expect((await browser.post('/auth/sign-out')).statusCode).toBe(200)
    expect(browser.cookies.size).toBe(0)
    for (const [name, value] of kept) browser.cookies.set(name, value)
    const answer = await browser.get('/api/workspaces')
    expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'session_ended'])
  })

  test('every sign-in is another session; a forged or old one is nobody', async () => {
    const world = open()
    const email = newEmail()
    const browser = await signedIn(world, email)
    const name = 'carillon.session_token'
    const first = browser.cookies.get(name) ?? ''
    await signIn(browser, email, goodPassword)
    expect(browser.cookies.get(name)).not.toBe(first)
    const [token = ''] = decodeURIComponent(first).split('.')
    for (const value of [`${token}.${Buffer.alloc(32).toString('base64')}`, token, '%zz', '.'])
      expect(codeOf(await world.browser().get('/api/workspaces', { headers: { cookie: `${name}=${value}` } }))).toBe(
        'session_ended',
      )
    world.pass(8 * 24 * 3600_000)
    expect(codeOf(await browser.get('/api/workspaces'))).toBe('session_ended')
  })

  test('a new role, and the end of a membership, hold from the next request on', async () => {
    const world = open()
    const email = newEmail()
    const browser = await signedIn(world, email)
    const { user } = (await browser.get('/auth/get-session')).json()
    const { workspaceId, apiKey } = await setUpWorkspace(world.ctx, { workspace: 'Tower', email: newEmail() })
    const rename = async () => codeOf(await browser.send('PATCH', `/api/workspaces/${workspaceId}`, { body: { name: 'New' } }))
    expect(await rename()).toBe('workspace_not_found')
    const joined = { workspace_id: workspaceId, person_id: user.id, role: 'admin', joined_at: new Date() } as const
    await world.ctx.db.system.insertInto('member').values(joined).execute()
    expect(await rename()).toBeUndefined()
    const owner = { headers: { authorization: `Bearer ${apiKey}` } }
    const url = `/api/workspaces/${workspaceId}/members/${user.id}`
    expect((await world.browser().send('PATCH', url, { body: { role: 'viewer' }, ...owner })).statusCode).toBe(200)
    expect(await rename()).toBe('role_forbidden')
    expect((await world.browser().send('DELETE', url, owner)).statusCode).toBe(200)
    expect(await rename()).toBe('workspace_not_found')
  })

  test('the cookie is for this host alone over HTTPS, and never for scripts', async () => {
    const world = open({ CARILLON_PUBLIC_URL: 'https://carillon.example' })
    const email = newEmail()
    await signedIn(world, email)
    const answer = await signIn(world.browser(), email, goodPassword)
    const cookie = [answer.headers['set-cookie'] ?? []].flat().find((line) => line.includes('session_token'))
    expect(cookie).toMatch(/^__Host-carillon\.session_token=/)
    for (const part of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(part)
    expect(cookie).not.toContain('Domain')
  })
})

/** Guarantee: of better-auth only what we named can be reached, with the fields we named. */
describe('the door', () => {
  test.each([
    '/auth/ok',
    '/auth/update-session',
    '/auth/delete-user',
    '/auth/get-access-token',
    '/auth/verify-email',
    '/auth/callback/x',
  ])('%s is not there', async (url) => {
    const browser = open().browser()
    expect((await browser.get(url)).statusCode).toBe(404)
    expect((await browser.post(url)).statusCode).toBe(404)
  })

  test('other fields are refused', async () => {
    const browser = open().browser()
    const fields = { email: newEmail(), password: goodPassword, name: 'R' }
    for (const body of [
      { ...fields, emailVerified: true },
      { ...fields, name: 'R'.repeat(101) },
      { ...fields, name: 7 },
    ])
      expect(codeOf(await browser.post('/auth/sign-up/email', body))).toBe('request_invalid')
  })

  test('no caller names their own address', async () => {
    const world = open()
    const email = newEmail()
    await signedIn(world, email)
    const claimed = { 'x-forwarded-for': '6.6.6.6', 'x-carillon-address': '6.6.6.6' }
    const browser = world.browser()
    await browser.post('/auth/sign-in/email', { email, password: goodPassword }, { headers: claimed, from: '10.3.0.1' })
    expect((await browser.get('/auth/get-session')).json().session.ipAddress).toBe('10.3.0.1')
  })
})

/** Guarantee T35: every answer tells browsers what it is not. */
test.each([['http://localhost:3000'], ['https://carillon.example']])('security headers at %s', async (publicUrl) => {
  const world = open({ CARILLON_PUBLIC_URL: publicUrl })
  const urls = [
    '/api/workspaces',
    '/auth/methods',
    '/auth/get-session',
    '/auth/verify?token=x',
    '/auth/error',
    '/nowhere',
    '/%zz',
    '/a%00',
  ]
  for (const url of urls) {
    const { headers } = await world.browser().get(url)
    expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff'])
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe-inline')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['strict-transport-security']).toBe(publicUrl.startsWith('https') ? 'max-age=31536000' : undefined)
  }
})
