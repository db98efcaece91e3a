import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { addConnections } from './add-connections.ts'
import { renewEarly, renewEarlyEveryMs } from './renew-token.ts'

const dayMs = 86_400_000
let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database })
}, 60_000)

afterAll(async () => {
  await server.close()
  await database.stop()
})

/** Guarantee: thousands of tokens that expire on the same day do not become thousands of requests in the same minute. */
test('renewals are enqueued in batches and spread over time, each connection once', async () => {
  const sent: Job[] = []
  const send = (job: Job) => Promise.resolve(void sent.push(job))
  const ctx: Context = { ...server.ctx, engine: { ...server.ctx.engine, send } }
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = (index: number, expiresAtMs: number) => ({
    platform: 'threads' as const,
    handle: `tower${index}`,
    accountId: String(index),
    credentials: { accessToken: 't', expiresAtMs },
  })
  const nowMs = Date.now()
  const expiring = Array.from({ length: 450 }, (_, index) => account(index, nowMs + 5 * dayMs + index))
  await addConnections(ctx, workspaceId, [...expiring, account(1000, nowMs + 40 * dayMs), account(1001, nowMs - dayMs)])

  const counts: number[] = []
  for (let n = 0; n < 4; n++) {
    await renewEarly(ctx)
    counts.push(sent.length)
  }
  expect(counts).toEqual([200, 400, 450, 450])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(450)
  const delays = sent.map(({ delayMs }) => delayMs ?? 0)
  expect(Math.max(...delays)).toBeLessThanOrEqual(renewEarlyEveryMs)
  const perMinute = Map.groupBy(delays, (delayMs) => Math.floor(delayMs / 60_000))
  expect(perMinute.size).toBeGreaterThanOrEqual(9)
})

/** Guarantee: an account that posts seldom stays connected where a refresh token ends if it is not used. */
test('a refresh token that nothing has used for long is used before it ends, once a day', async () => {
  const sent: Job[] = []
  const send = (job: Job) => Promise.resolve(void sent.push(job))
  const ctx: Context = { ...server.ctx, engine: { ...server.ctx.engine, send } }
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Idle', email: `${newUuid()}@example.com` })
  const account = (handle: string, idleDays: number, credentials: { refreshToken?: string } = { refreshToken: 'r' }) => ({
    platform: 'tumblr' as const,
    handle,
    accountId: handle,
    credentials: { accessToken: 't', expiresAtMs: Date.now() - idleDays * dayMs, ...credentials },
  })
  const added = await addConnections(ctx, workspaceId, [account('idle', 32), account('used', 31), account('without', 32, {})])
  await renewEarly(ctx)
  await renewEarly(ctx)
  expect(sent.map(({ key }) => key)).toEqual([`${workspaceId}/${added[0]?.id}`])
})
