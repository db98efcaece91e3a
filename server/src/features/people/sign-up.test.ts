import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { acceptRoutes } from '../invitations/accept.routes.ts'
import { invitationRoutes } from '../invitations/invitation.routes.ts'
import { firstRunRoutes } from '../workspaces/first-run.routes.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { accountRoutes } from './account.routes.ts'
import { Browser, goodPassword, linkIn } from './people.fixture.ts'

/** Guarantee: without a setting, only the operator and people who were invited have accounts, from the first start on. */
const origin = 'http://localhost:3000'
const mails: Mail[] = []
let database: TestDatabase
const servers: TestServer[] = []

beforeAll(async () => {
  database = await startDatabase()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await database.stop()
})

function open(env: Record<string, string> = {}): TestServer {
  const server = openServer({
    database,
    env: { CARILLON_PUBLIC_URL: origin, ...env },
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
    root: [accountRoutes, acceptRoutes, firstRunRoutes],
  })
  servers.push(server)
  return server
}

const signUp = (browser: Browser, email: string) =>
  browser.post('/auth/sign-up/email', { name: 'Stranger', email, password: goodPassword })

test('guarantee: a stranger cannot sign up before or after the first account, and an invited person can join', async () => {
  const { app, ctx } = open()
  const newBrowser = () => new Browser(app, origin)
  const countPeople = async () => (await ctx.db.system.selectFrom('person').select('id').execute()).length

  const early = await signUp(newBrowser(), 'early@example.com')
  expect([early.statusCode, early.json().error?.code]).toEqual([403, 'sign_up_closed'])
  expect(await countPeople()).toBe(0)

  const ada = newBrowser()
  const install = { name: 'Ada', email: 'ada@example.com', password: goodPassword, workspace: 'Tower' }
  expect((await ada.post('/auth/first-run', install)).statusCode).toBe(201)
  for (const email of ['late@example.com', 'ada@example.com']) {
    const late = await signUp(newBrowser(), email)
    expect([late.statusCode, late.json().error]).toMatchObject([403, { code: 'sign_up_closed', action: 'fix_request' }])
  }
  expect([await countPeople(), mails.length]).toEqual([1, 0])
  expect((await newBrowser().get('/auth/methods')).json().data).toMatchObject({ signUp: false, firstRun: false })

  const [workspace] = (await ada.get('/api/workspaces')).json().data
  await ada.post(`/api/workspaces/${workspace.id}/invitations`, { email: 'grace@example.com', role: 'editor' })
  await expect.poll(() => mails.length).toBe(1)
  const grace = newBrowser()
  const joined = await grace.post(linkIn(mails[0]), { name: 'Grace', password: goodPassword })
  expect(joined.json().data).toMatchObject({ workspaceId: workspace.id, next: 'signed_in' })
})

test('the operator opens sign-up with a setting', async () => {
  const { app } = open({ CARILLON_SIGN_UP: 'open' })
  const browser = new Browser(app, origin)
  expect((await signUp(browser, 'new@example.com')).statusCode).toBe(200)
  expect((await browser.get('/auth/methods')).json().data).toMatchObject({ signUp: true })
})
