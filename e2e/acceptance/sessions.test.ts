import { endpoints } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { unknownId } from '../support/posts.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { testStack, uniqueText } from '../test-stack.ts'

const server = testStack.baseUrl.replace(/\/api$/, '')
const attributesOf = (line: string) =>
  line
    .split('; ')
    .slice(1)
    .map((each) => each.toLowerCase())
    .toSorted()
const sessionLine = (lines: readonly string[]) => lines.find((line) => line.includes('session_token=')) ?? ''

describe('a session of the web app', () => {
  let browser: Browser
  let line: string
  beforeAll(async () => {
    browser = new Browser()
    line = sessionLine((await browser.signIn()).setCookies)
  })
  const names = async () => ((await browser.open('GET /api/workspaces')).data as { name: string }[]).map(({ name }) => name)

  test('its cookie cannot be read by scripts or sent by other sites', () => {
    expect(line).toMatch(/^carillon\.session_token=[\w%.-]{60,}/)
    expect(attributesOf(line)).toEqual(['httponly', expect.stringMatching(/^max-age=\d+$/), 'path=/', 'samesite=lax'])
  })

  test('it gives the signed-in person the same access to the API as a key', async () => {
    const name = uniqueText('By session')
    const made = await browser.open('POST /api/workspaces', { body: { name } })
    expect(made.status).toBe(201)
    expect(await names()).toEqual([name])
    const { id } = made.data as { id: string }
    expect(await browser.open('GET /api/content', { workspace: id })).toMatchObject({ status: 200, data: { data: [] } })
    expect(await browser.open('GET /api/content', { workspace: testStack.workspaceId })).toMatchObject({ status: 404 })
  })

  test.each([
    ['another site', 'https://evil.example'],
    ['a site with a similar name', `${server}.evil.example`],
    ['a page with the origin null', 'null'],
    ['a page without an Origin header', null],
  ])('guarantee: a request with the cookie from %s changes nothing, on any route', async (_who, origin) => {
    const before = await names()
    for (const { method, path } of endpoints.filter((each) => each.method !== 'GET')) {
      const reply = await browser.open(`${method} /api${path.replaceAll(/:\w+/g, unknownId)}`, {
        origin,
        body: { name: 'Taken over' },
        workspace: testStack.workspaceId,
      })
      expect([method, path, reply.status, reply.code]).toEqual([method, path, 403, 'origin_refused'])
    }
    expect(await browser.open('POST /auth/sign-out', { origin, body: {} })).toMatchObject({ status: 403, code: 'origin_refused' })
    expect(await names()).toEqual(before)
  })

  test('an altered or invented cookie gives no access', async () => {
    const cookie = browser.cookie
    const altered = cookie.replace(/session_token=(.)/, (_all, first: string) => `session_token=${first === 'a' ? 'b' : 'a'}`)
    for (const bad of [altered, 'carillon.session_token=made-up', 'carillon.session_token=a.b'])
      expect([bad, (await browser.open('GET /api/workspaces', { cookie: bad })).code]).toEqual([bad, 'session_ended'])
    expect((await browser.open('GET /api/workspaces', { cookie: '' })).code).toBe('api_key_missing')
  })

  test('guarantee: signing out ends the session on the server, not only in the browser', async () => {
    const cookie = browser.cookie
    expect((await browser.open('GET /api/workspaces', { cookie })).status).toBe(200)
    const out = await browser.open('POST /auth/sign-out', { body: {} })
    expect([out.status, sessionLine(out.setCookies)]).toEqual([200, expect.stringMatching(/max-age=0/i)])
    expect(await browser.open('GET /api/workspaces', { cookie })).toMatchObject({ status: 401, code: 'session_ended' })
  })
})

describe('with a public URL on HTTPS', () => {
  const origin = 'https://carillon.example'
  let second: SecondServer
  beforeAll(async () => {
    second = await startSecondServer({ CARILLON_PUBLIC_URL: origin })
  }, 120_000)
  afterAll(() => second.stop())

  test('the cookie is sent only over HTTPS and only to this host', async () => {
    const browser = new Browser({ server: second.baseUrl.replace(/\/api$/, ''), origin })
    const { setCookies } = await browser.signIn()
    expect(sessionLine(setCookies)).toMatch(/^__Host-carillon\.session_token=/)
    for (const line of setCookies) {
      expect(attributesOf(line)).toEqual(expect.arrayContaining(['secure', 'httponly', 'samesite=lax', 'path=/']))
      expect(line.toLowerCase()).not.toContain('domain=')
    }
    expect((await browser.open('GET /api/workspaces')).status).toBe(200)
    // A cookie without the `__Host-` prefix can be set by any host of the domain, so it must not be accepted as a session.
    const cookie = browser.cookie.replace('__Host-', '')
    expect(await browser.open('GET /api/workspaces', { cookie })).toMatchObject({ status: 401, code: 'api_key_missing' })
  })
})
