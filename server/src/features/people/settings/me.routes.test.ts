import type { Me } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { setUpWorkspace } from '../../workspaces/set-up-install.ts'
import { meRoutes } from './me.routes.ts'
import { signInAs } from '../sign-in.fixture.ts'

let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, api: [meRoutes] })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

async function send(method: 'GET' | 'PATCH', headers: Record<string, string>, payload?: object) {
  const answer = await server.app.inject({ method, url: '/api/me', headers, ...(payload && { payload }) })
  return { status: answer.statusCode, ...answer.json<{ data: Me; error?: { code: string; details?: { path: string }[] } }>() }
}

/** Guarantee: a person reads and changes their own settings, with a key or a session, and nobody else's. */
test('settings belong to the person who sends the request', async () => {
  const { ctx } = server
  const ada = await setUpWorkspace(ctx, { workspace: 'Tower', email: 'ada@example.com' })
  const ben = await setUpWorkspace(ctx, { workspace: 'Belfry', email: 'ben@example.com' })
  const byKey = { authorization: `Bearer ${ada.apiKey}` }
  const bySession = { cookie: await signInAs(ctx, ada.personId), origin: new URL(ctx.config.publicUrl).origin }
  const unset = { locale: null, timezone: null, weekStart: null, hourCycle: null, theme: null }
  expect((await send('GET', byKey)).data).toEqual({ id: ada.personId, email: 'ada@example.com', name: 'ada', ...unset })

  const changed = { locale: 'en-GB', timezone: 'Europe/Berlin', weekStart: 'sunday', hourCycle: 'h12', theme: 'dark' }
  expect((await send('PATCH', bySession, changed)).data).toMatchObject({ email: 'ada@example.com', ...changed })
  expect((await send('PATCH', byKey, { weekStart: null })).data).toMatchObject({ ...changed, weekStart: null })
  expect((await send('GET', bySession)).data).toMatchObject({ ...changed, weekStart: null })
  expect((await send('GET', { authorization: `Bearer ${ben.apiKey}` })).data).toMatchObject({
    email: 'ben@example.com',
    ...unset,
  })
})

test.each([
  [{ timezone: 'Europe/Atlantis' }, 'timezone'],
  [{ locale: 'German' }, 'locale'],
  [{ theme: 'pink' }, 'theme'],
  [{ email: 'other@example.com' }, 'email'],
])('%o is refused', async (body, path) => {
  const { apiKey } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'carl@example.com' })
  const { status, error } = await send('PATCH', { authorization: `Bearer ${apiKey}` }, body)
  expect([status, error?.details?.[0]?.path]).toEqual([422, path])
})

test('a request without a key or session is refused', async () => {
  expect((await send('GET', {})).status).toBe(401)
})
