import { PlatformError, type Outcome } from '@carillon/connectors'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { watchServer } from '../../connections/calls/server-health.ts'
import { settle } from '../settle/settle.ts'
import { armBatch } from './arm-batch.ts'
import { giveBackLeases } from './rate-leases.ts'
import { submitBatch } from './submit-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const minuteMs = 60_000
const rate = { perConnection: [{ count: 3, windowMs: minuteMs }], perApp: [{ count: 100, windowMs: 86_400_000 }] }

test('guarantee: a limit is charged only for what it grants, and the reason of the wait is stored', async () => {
  const world = await openPublisher(database, { x: { manifest: { rate } } })
  for (let n = 0; n < 8; n++) await world.create(`post ${n}`)
  const [batch] = await world.claim()
  const { send } = await armBatch(world.ctx, batch?.refs ?? [])
  expect(send).toHaveLength(3)
  const used = await world.ctx.db.system.selectFrom('rate_window').selectAll().execute()
  const own = used.filter(({ key }) => key.includes(world.workspaceId))
  expect(own.map((row) => row.used)).toEqual([3, 3])
  const waiting = await world.ctx.db.system.selectFrom('channel').where('waiting_reason', '=', 'rate_limit').selectAll().execute()
  const untilMs = waiting.filter((row) => row.workspace_id === world.workspaceId).map((row) => row.dispatch_at?.getTime() ?? 0)
  expect(untilMs).toHaveLength(5)
  for (const ms of untilMs) expect(ms - Date.now()).toBeLessThanOrEqual(minuteMs)
  await world.close()
})

test('guarantee: when a platform app’s quota runs short, workspaces share it', async () => {
  const app = { perConnection: [], perApp: [{ count: 20, windowMs: 3_600_000 }] }
  const crowd = await openPublisher(database, { threads: { manifest: { rate: app } } })
  for (let n = 0; n < 30; n++) await crowd.create(`crowd ${n}`)
  const [batch] = await crowd.claim()
  const small = await openPublisher(database, { threads: { manifest: { rate: app } } })
  await small.create('small')
  const [first] = await small.claim()
  await armBatch(small.ctx, first?.refs ?? [])
  const granted: number[] = []
  for (const ref of batch?.refs ?? []) granted.push((await armBatch(crowd.ctx, [ref])).send.length)
  const total = granted.reduce((sum, count) => sum + count, 0)
  // Half of the quota is served in order; beyond it neither of two may use more than half.
  expect(total).toBe(10)
  await small.create('small again')
  const [second] = await small.claim()
  expect((await armBatch(small.ctx, second?.refs ?? [])).send).toHaveLength(1)
  await Promise.all([crowd.close(), small.close()])
})

test('guarantee: calls with an app of the workspace are counted for that app, and a refused one is given back there', async () => {
  const world = await openPublisher(database, { x: { manifest: { rate } } })
  const { system } = world.ctx.db
  await system.updateTable('connection').where('workspace_id', '=', world.workspaceId).set({ own_app: true }).execute()
  await world.create('with our own app')
  const [batch] = await world.claim()
  const usedOf = async (key: string) =>
    (await system.selectFrom('rate_window').where('key', '=', key).select('used').executeTakeFirst())?.used ?? 0
  const shared = await usedOf('app x')
  const { send } = await armBatch(world.ctx, batch?.refs ?? [])
  expect([send.length, await usedOf(`app x of ${world.workspaceId}`), await usedOf('app x')]).toEqual([1, 1, shared])
  const error = { code: 'platform_rejected', message: '', action: 'none', retryable: false, platformCode: null } as const
  await system.transaction().execute((tx) =>
    giveBackLeases(
      world.ctx,
      tx,
      send.map(({ channel }) => ({
        row: { workspace_id: channel.workspace_id, connection_id: channel.connection_id, platform: 'x' },
        result: { kind: 'failed', error },
        chargedAtMs: Date.now(),
      })),
    ),
  )
  expect([await usedOf(`app x of ${world.workspaceId}`), await usedOf('app x')]).toEqual([0, shared])
  await world.close()
})

test('guarantee: posts for a server that is down wait without being tried, with the reason, and those of another platform go out', async () => {
  const world = await openPublisher(database, { x: {}, threads: {} })
  const isDown = watchServer(world.ctx, { platform: 'threads', instanceUrl: null }, async () => ({
    status: 503,
    headers: {},
    text: async () => '',
  }))
  for (let n = 0; n < 30; n++) await isDown({ method: 'GET', url: '', headers: {}, body: null, timeoutMs: 1000 })
  const postId = await world.create('on both')
  const batches = await world.claim()
  const armed = await Promise.all(batches.map(({ refs }) => armBatch(world.ctx, refs)))
  expect(armed.flatMap(({ send }) => send.map(({ connection }) => connection.platform))).toEqual(['x'])
  const channels = await world.ctx.db.system.selectFrom('channel').where('post_id', '=', postId).selectAll().execute()
  const [waiting] = channels.filter(({ platform }) => platform === 'threads')
  expect(waiting).toMatchObject({ state: 'scheduled', waiting_reason: 'platform_unavailable', attempts: 0 })
  expect(waiting?.dispatch_at?.getTime()).toBeGreaterThan(Date.now() + 4_000)
  await world.close()
})

test('guarantee: a send that is in doubt when a window starts counts in it, because it may be repeated', async () => {
  const world = await openPublisher(database, { mastodon: { manifest: { rate } } })
  const first = await world.create('in doubt')
  const [earlier] = await world.claim()
  expect((await armBatch(world.ctx, earlier?.refs ?? [])).send).toHaveLength(1)
  await world.age(first, 2 * minuteMs)
  const hourAgo = new Date(Date.now() - 3_600_000)
  await world.ctx.db.system
    .updateTable('rate_window')
    .set({ started_at: hourAgo })
    .where('window_ms', '=', String(minuteMs))
    .execute()
  for (let n = 0; n < 5; n++) await world.create(`post ${n}`)
  const [batch] = await world.claim()
  expect((await armBatch(world.ctx, batch?.refs ?? [])).send).toHaveLength(2)
  await world.close()
})

test('guarantee: in one batch each workspace has its turn in a window that is too small for all', async () => {
  const app = { perConnection: [], perApp: [{ count: 4, windowMs: 7_200_000 }] }
  const crowd = await openPublisher(database, { linkedin: { manifest: { rate: app } } })
  for (let n = 0; n < 8; n++) await crowd.create(`crowd ${n}`)
  const [batch] = await crowd.claim()
  const small = await openPublisher(database, { linkedin: { manifest: { rate: app } } })
  await small.create('small')
  const [own] = await small.claim()
  const { send } = await armBatch(crowd.ctx, [...(batch?.refs ?? []), ...(own?.refs ?? [])])
  expect(send.map(({ channel }) => channel.workspace_id)).toContain(small.workspaceId)
  await Promise.all([crowd.close(), small.close()])
})

describe('guarantee: a call that was certainly not carried out uses up no quota', () => {
  const limits = {
    perConnection: [
      { count: 6, windowMs: minuteMs },
      { count: 15, windowMs: 86_400_000 },
    ],
    perApp: [{ count: 100, windowMs: 86_400_000 }],
  }

  /** Three posts whose calls end so. Gives how much of each window is used afterwards: the connection's minute and day, the app's day. */
  async function useUp(submit: () => Promise<Outcome>, { isRolledOver = false } = {}) {
    const world = await openPublisher(database, { linkedin: { manifest: { rate: limits }, submit } })
    await sql`delete from rate_window`.execute(world.ctx.db.system)
    for (let n = 0; n < 3; n++) await world.create(`post ${n}`)
    const [batch] = await world.claim()
    const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
    if (isRolledOver) await sql`update rate_window set started_at = now(), used = 2`.execute(world.ctx.db.system)
    await settle(world.ctx, finished)
    // The engine may repeat the step.
    await settle(world.ctx, finished)
    const rows = await world.ctx.db.system.selectFrom('rate_window').selectAll().orderBy('key').orderBy('window_ms').execute()
    await world.close()
    const used = (start: string, windowMs: number) =>
      rows.find(({ key, window_ms }) => key.startsWith(start) && Number(window_ms) === windowMs)?.used
    return [used('connection', minuteMs), used('connection', 86_400_000), used('app linkedin', 86_400_000)]
  }
  const refuse = (kind: PlatformError['kind']) => () =>
    Promise.reject(new PlatformError({ kind, platformCode: null, message: kind }))

  test('published calls do', async () => {
    expect(await useUp(async () => ({ state: 'published', postId: newUuid(), postUrl: null }))).toEqual([3, 3, 3])
  })

  test('one that the platform refused for good', async () => {
    expect(await useUp(refuse('rejected'))).toEqual([0, 0, 0])
  })

  test('one that could not be made', async () => {
    expect(await useUp(refuse('unavailable'))).toEqual([0, 0, 0])
  })

  test('one that was refused as too many: the short window stays charged and limits the pace', async () => {
    expect(await useUp(refuse('limited'))).toEqual([3, 0, 0])
  })

  test('one without an answer does: it may have been carried out', async () => {
    expect(await useUp(refuse('unknown'))).toEqual([3, 3, 3])
  })

  test('nothing is given back to a window that started after the call', async () => {
    expect(await useUp(refuse('rejected'), { isRolledOver: true })).toEqual([2, 2, 2])
  })
})
