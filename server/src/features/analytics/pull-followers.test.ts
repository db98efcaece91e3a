import { type Connector, PlatformError, type PlatformErrorKind } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { planPullsForFollowers } from './dispatch-pulls.ts'
import { nextFollowersAtMs } from './fetch-followers.ts'
import { pullMetrics } from './pull-metrics.ts'
import { claimPulls } from './pull.store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
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

type Answer = number | undefined | PlatformErrorKind
type Options = { tells?: boolean; canRenew?: boolean }

/** A workspace with one Mastodon account without posts, whose server gives these answers, the last one again and again. */
async function open(answers: Answer[], { tells = true, canRenew = false }: Options = {}) {
  let asked = 0
  let nowMs = Date.now()
  const { mastodon } = server.ctx.connectors
  const connector: Connector = {
    ...mastodon,
    manifest: { ...mastodon.manifest, followers: tells ? 'followers_count' : undefined } as Connector['manifest'],
    auth: { ...mastodon.auth, ...(canRenew && { renew: () => Promise.reject(new Error('not called here')) }) },
    async account() {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (typeof answer === 'string')
        throw new PlatformError({ kind: answer, platformCode: null, message: answer, retryAfterMs: hourMs })
      const account = { id: '1', handle: 'tower', displayName: 'Tower', avatarUrl: null }
      return { ...account, ...(answer !== undefined && { followers: answer }) }
    },
  }
  const ctx: Context = { ...server.ctx, nowMs: () => nowMs, connectors: { ...server.ctx.connectors, mastodon: connector } }
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = { platform: 'mastodon' as const, handle: 'tower', accountId: '1', instanceUrl: 'https://social.example' }
  const [connection] = await addConnections(ctx, workspaceId, [{ ...account, credentials: { accessToken: 't' } }])
  const id = connection?.id ?? ''
  const { system } = ctx.db
  const rows = () =>
    system.selectFrom('follower_day').where('workspace_id', '=', workspaceId).select('followers').orderBy('day').execute()
  return {
    ctx,
    id,
    asked: () => asked,
    later: (ms: number) => (nowMs += ms),
    plan: () => planPullsForFollowers(ctx),
    setStatus: (status: 'active' | 'needs_reconnect') =>
      system.updateTable('connection').where('id', '=', id).set({ status }).execute(),
    remove: () => system.deleteFrom('connection').where('id', '=', id).execute(),
    /** As at the time for which the pull is planned. */
    async pull(isRenewed = false) {
      await system
        .updateTable('metric_pull')
        .where('workspace_id', '=', workspaceId)
        .set({ due_at: new Date(0) })
        .execute()
      const claimed = await claimPulls(system, { platforms: ['mastodon'], perPlatform: 99, lostAfterMs: 600_000 })
      const ref = claimed.find(({ connectionId }) => connectionId === id)
      return ref ? pullMetrics(ctx, ref, { isRenewed }) : 'nothing due'
    },
    followers: async () => (await rows()).map(({ followers }) => (followers === null ? null : Number(followers))),
    async state() {
      const query = system.selectFrom('metric_pull').where('workspace_id', '=', workspaceId).selectAll()
      const pull = await query.executeTakeFirst()
      const inMs = pull?.due_at ? pull.due_at.getTime() - nowMs : null
      return { isPlanned: pull !== undefined, inMs, failures: pull?.failures }
    },
  }
}

/** Guarantee: there is one number for an account and day (UTC), and the platform is asked for it once. */
test('the number of followers is asked for once a day, whether or not the account publishes', async () => {
  const { plan, pull, later, asked, followers, state, id, ctx } = await open([120, 118])
  await plan()
  expect(await pull()).toBeNull()
  await pull()
  expect([asked(), await followers()]).toEqual([1, [120]])
  const nextMs = nextFollowersAtMs(id, { nowMs: ctx.nowMs(), isAsked: true })
  expect((await state()).inMs).toBeCloseTo(Math.max(nextMs - ctx.nowMs(), 120_000), -4)
  later(dayMs)
  await pull()
  expect([asked(), await followers()]).toEqual([2, [120, 118]])
})

/** Guarantee: what is unknown is not 0. */
test.for<[Answer, number | null]>([
  [undefined, null],
  [0, 0],
  ['rejected', null],
  ['gone', null],
  ['auth', null],
])('the answer %s is the number %s of the day', async ([answer, number]) => {
  const { plan, pull, asked, followers, state } = await open([answer])
  await plan()
  expect(await pull()).toBeNull()
  await pull()
  expect([asked(), await followers()]).toEqual([1, [number]])
  expect(await state()).toMatchObject({ failures: 0 })
})

test('a platform that did not answer is asked again on the same day', async () => {
  const { plan, pull, followers, state } = await open(['unavailable', 7])
  await plan()
  await pull()
  expect(await followers()).toEqual([])
  expect(await state()).toMatchObject({ inMs: 6 * hourMs, failures: 0 })
  await pull()
  expect(await followers()).toEqual([7])
})

test('a platform that limits us is not asked before its wait is over', async () => {
  const { plan, pull, followers, state } = await open(['limited'])
  await plan()
  await pull()
  expect(await followers()).toEqual([])
  expect((await state()).inMs).toBe(hourMs)
})

test('a token that can be renewed is renewed, and one that is refused after that costs one request a day', async () => {
  const { plan, pull, followers } = await open(['auth'], { canRenew: true })
  await plan()
  expect(await pull()).toMatchObject({ seenAtMs: expect.any(Number) as number })
  expect(await followers()).toEqual([])
  await server.ctx.db.system.updateTable('metric_pull').set({ handed_at: null }).execute()
  expect(await pull(true)).toBeNull()
  expect(await followers()).toEqual([null])
})

test('an account whose permission has ended, or whose platform tells no number, is not asked', async () => {
  const revoked = await open([5])
  await revoked.setStatus('needs_reconnect')
  const silent = await open([5], { tells: false })
  await revoked.plan()
  expect(await revoked.state()).toMatchObject({ isPlanned: false })
  await silent.plan()
  await silent.pull()
  await revoked.setStatus('active')
  await revoked.plan()
  await revoked.setStatus('needs_reconnect')
  await revoked.pull()
  expect([revoked.asked(), silent.asked(), await revoked.followers()]).toEqual([0, 0, []])
  // Connected again, it is planned again.
  await revoked.setStatus('active')
  await revoked.plan()
  await revoked.pull()
  expect(await revoked.followers()).toEqual([5])
})

test('the numbers of an account are deleted with it', async () => {
  const { plan, pull, followers, remove } = await open([5])
  await plan()
  await pull()
  expect(await followers()).toEqual([5])
  await remove()
  expect(await followers()).toEqual([])
})

test('accounts are asked at different times in the first twenty hours of a day', () => {
  const nowMs = Date.parse('2026-11-19T22:00:00Z')
  const startMs = Date.parse('2026-11-20T00:00:00Z')
  const hours = Array.from({ length: 100 }, (_, at) => {
    const id = `0123456789abcdef01${at.toString(16).padStart(6, '0')}`
    return Math.floor((nextFollowersAtMs(id, { nowMs, isAsked: true }) - startMs) / hourMs)
  })
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...hours)).toBeLessThan(20)
  expect(new Set(hours).size).toBe(20)
})
