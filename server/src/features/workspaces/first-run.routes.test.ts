import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { operatorRoutes } from '../operator/operator.routes.ts'
import { accountRoutes } from '../people/account.routes.ts'
import { Browser } from '../people/people.fixture.ts'
import { setupCode } from '../people/setup-code.ts'
import { firstRunRoutes } from './first-run.routes.ts'
import { workspaceRoutes } from './workspace.routes.ts'

const install = {
  name: 'Ada',
  email: 'Ada@Example.com',
  password: 'seven bells at dusk',
  workspace: 'Bell Tower',
  timezone: 'Europe/Berlin',
}
let database: TestDatabase
const servers: TestServer[] = []

beforeAll(async () => {
  database = await startDatabase()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await database.stop()
})
beforeEach(async () => {
  for (const { ctx } of servers.slice(0, 1))
    for (const table of ['account', 'passkey', 'session'] as const) await ctx.db.system.deleteFrom(table).execute()
})

function open(origin = 'http://localhost:3000'): { server: TestServer; browser: Browser } {
  const server = openServer({
    database,
    env: { CARILLON_PUBLIC_URL: origin },
    api: [workspaceRoutes],
    root: [accountRoutes, firstRunRoutes, operatorRoutes],
  })
  servers.push(server)
  return { server, browser: new Browser(server.app, origin) }
}

test('guarantee: the first person gets an account, a workspace and a session, and then the door is closed', async () => {
  const { browser } = open()
  expect((await browser.get('/auth/methods')).json().data).toMatchObject({ firstRun: true, setupCode: false, mail: false })
  const created = await browser.post('/auth/first-run', install)
  expect([created.statusCode, created.json().success]).toEqual([201, true])
  const { data } = (await browser.get('/api/workspaces')).json()
  expect(data).toMatchObject([{ name: 'Bell Tower', timezone: 'Europe/Berlin', role: 'owner' }])
  expect((await browser.get('/auth/get-session')).json()).toMatchObject({
    user: { name: 'Ada', email: 'ada@example.com', emailVerified: true },
  })
  expect((await browser.get('/auth/methods')).json().data).toMatchObject({ firstRun: false })
  expect((await browser.get('/operator/access')).json().data).toEqual({ isOperator: true })
  const again = await browser.post('/auth/first-run', { ...install, email: 'late@example.com' })
  expect([again.statusCode, again.json().error.code]).toEqual([409, 'first_run_over'])
})

test('guarantee: of two people who are first at the same time, one is', async () => {
  const { browser, server } = open()
  const other = new Browser(server.app, 'http://localhost:3000')
  const answers = await Promise.all([
    browser.post('/auth/first-run', install),
    other.post('/auth/first-run', { ...install, email: 'other@example.com' }),
  ])
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409])
})

test('guarantee: off this machine the setup code of the log is needed', async () => {
  const origin = 'https://carillon.example'
  const { browser, server } = open(origin)
  expect((await browser.get('/auth/methods')).json().data).toMatchObject({ firstRun: true, setupCode: true })
  for (const code of [{}, { setupCode: '0000-0000-0000-0000' }]) {
    const refused = await browser.post('/auth/first-run', { ...install, ...code })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'setup_code_wrong'])
  }
  const code = setupCode(server.ctx.config).toLowerCase()
  expect((await browser.post('/auth/first-run', { ...install, setupCode: code })).statusCode).toBe(201)
})

test('guarantee: another machine needs the code even if the public address is this one', async () => {
  const { browser } = open()
  const refused = await browser.post('/auth/first-run', install, { from: '10.1.2.3' })
  expect(refused.json().error.code).toBe('setup_code_wrong')
})

test('every field is checked, and a page of another site has no effect', async () => {
  const { browser } = open()
  const refused = await browser.post('/auth/first-run', { ...install, email: 'nobody', workspace: ' ' })
  expect(refused.json().error).toMatchObject({ code: 'request_invalid', details: [{ path: 'workspace' }, { path: 'email' }] })
  const common = await browser.post('/auth/first-run', { ...install, password: 'password123' })
  expect(common.json().error.details).toMatchObject([{ path: 'password' }])
  const zone = await browser.post('/auth/first-run', { ...install, timezone: 'Bell/Tower' })
  expect(zone.json().error.details).toMatchObject([{ path: 'timezone' }])
  const foreign = await browser.post('/auth/first-run', install, { headers: { origin: 'https://evil.example' } })
  expect(foreign.json().error.code).toBe('origin_refused')
  expect((await browser.get('/auth/methods')).json().data.firstRun).toBe(true)
})
