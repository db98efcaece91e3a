import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { setPlan } from './set-plan.ts'
import { setUpWorkspace } from './set-up-install.ts'
import { workspaceRoutes } from './workspace.routes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

async function change(server: TestServer, { workspaceId, apiKey }: { workspaceId: string; apiKey: string }, body: object) {
  const url = `/api/workspaces/${workspaceId}`
  const response = await server.app.inject({
    method: 'PATCH',
    url,
    headers: { authorization: `Bearer ${apiKey}` },
    payload: body,
  })
  const { data, error } = response.json<{ data?: { plan: string; hasPlans: boolean }; error?: { code: string } }>()
  return { status: response.statusCode, plan: data?.plan, hasPlans: data?.hasPlans, code: error?.code }
}

test('an owner changes the plan of a workspace, where the operator leaves it to them', async () => {
  const server = openServer({ database, env: { CARILLON_PLAN: 'free' }, api: [workspaceRoutes] })
  const workspace = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'one@example.com' })
  expect(await change(server, workspace, { plan: 'business' })).toMatchObject({ status: 200, plan: 'business' })
  await server.close()
})

test('guarantee: where the operator sets the plans, an owner cannot', async () => {
  const env = { CARILLON_PLAN: 'free', CARILLON_PLAN_CHANGES: 'operator' }
  const server = openServer({ database, env, api: [workspaceRoutes] })
  const workspace = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'two@example.com' })
  expect(await change(server, workspace, { plan: 'business' })).toMatchObject({ status: 403, code: 'plan_fixed' })
  expect(await change(server, workspace, { name: 'Belfry' })).toMatchObject({ status: 200, plan: 'free' })
  await setPlan(server.ctx, { workspaceId: workspace.workspaceId, plan: 'pro' })
  expect(await change(server, workspace, { name: 'Spire' })).toMatchObject({ plan: 'pro' })
  await server.close()
})

test.each([
  { env: {}, hasPlans: false },
  { env: { CARILLON_PLAN: 'pro' }, hasPlans: true },
  { env: { CARILLON_PLAN_CHANGES: 'operator' }, hasPlans: true },
])('guarantee: a workspace has plans only where the operator has introduced them ($env)', async ({ env, hasPlans }) => {
  const server = openServer({ database, env, api: [workspaceRoutes] })
  const workspace = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  expect(await change(server, workspace, { name: 'Belfry' })).toMatchObject({ status: 200, hasPlans })
  await server.close()
})

test('a workspace with a smaller plan finds the way back, also where there are no plans', async () => {
  const server = openServer({ database, api: [workspaceRoutes] })
  const workspace = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'five@example.com' })
  expect(await change(server, workspace, { plan: 'free' })).toMatchObject({ hasPlans: true })
  expect(await change(server, workspace, { plan: 'business' })).toMatchObject({ hasPlans: false })
  await server.close()
})
