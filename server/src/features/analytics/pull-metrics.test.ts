import { PlatformError, type Connector, type Figures, type PlatformErrorKind } from '@carillon/connectors'
import type { Updateable } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addConnections } from '../connections/add-connections.ts'
import type { Context } from '../../context.ts'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import type { ConnectionTable } from '../../infra/db/tables.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import type { Pull } from './jobs.ts'
import { pullOnServer } from './pull-on-server.ts'
import { pullMetrics } from './pull-metrics.ts'
import { claimPulls, requestPulls } from './pull.store.ts'

const minuteMs = 60_000
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

type Answer = Figures | PlatformErrorKind

/** `followers`: how the platform refuses to tell them. It is not asked for them if this is absent. */
type Opened = { agesMs: number[]; answer: () => Answer; canRenew?: boolean; followers?: PlatformErrorKind }

/** A workspace with one Mastodon connection, which has posts of the given ages and whose platform gives this answer. */
async function open({ agesMs, answer, canRenew = false, followers }: Opened) {
  const calls: number[] = []
  let slow = Promise.resolve()
  const mastodon: Connector = {
    ...server.ctx.connectors.mastodon,
    manifest: { ...server.ctx.connectors.mastodon.manifest, followers } as Connector['manifest'],
    async account() {
      throw new PlatformError({ kind: followers ?? 'unknown', platformCode: null, message: 'no followers' })
    },
    auth: {
      ...server.ctx.connectors.mastodon.auth,
      ...(canRenew && { renew: () => Promise.reject(new Error('not called here')) }),
    },
    async metrics(_client, postIds) {
      calls.push(postIds.length)
      await slow
      const result = answer()
      if (typeof result === 'string')
        throw new PlatformError({
          kind: result,
          platformCode: null,
          message: result,
          retryAfterMs: result === 'limited' ? 7 * minuteMs : undefined,
        })
      return new Map(postIds.map((id) => [id, result]))
    },
  }
  const ctx: Context = { ...server.ctx, connectors: { ...server.ctx.connectors, mastodon } }
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const account = { platform: 'mastodon' as const, handle: 'tower', accountId: '1', instanceUrl: 'https://social.example' }
  const [connection] = await addConnections(ctx, workspaceId, [{ ...account, credentials: { accessToken: 't' } }])
  const publisher = { workspaceId, connectionId: connection?.id ?? '', platform: 'mastodon' }
  await insertPublished(ctx, publisher, agesMs)
  await ctx.db.tenant(workspaceId, (tx) => requestPulls(tx, [publisher], new Date(ctx.nowMs())))

  const pull = async (isRenewed = false) => {
    const [ref] = await claimPulls(ctx.db.system, { platforms: ['mastodon'], perPlatform: 9, lostAfterMs: 600_000 })
    return ref ? pullMetrics(ctx, ref, { isRenewed }) : 'nothing due'
  }
  /** A pull whose token the platform rejects. Until it is continued, the renewal has changed the connection like this. */
  const pullWithRenewal = async (renewed: Updateable<ConnectionTable>) => {
    const [ref] = await claimPulls(ctx.db.system, { platforms: ['mastodon'], perPlatform: 9, lostAfterMs: 600_000 })
    if (!ref) throw new Error('no pull was due')
    const [renewal, again] = await pullOnServer(ctx, ref)
    expect(renewal).toMatchObject({ service: 'connection', handler: 'renew' })
    await ctx.db.system.updateTable('connection').where('id', '=', ref.connectionId).set(renewed).execute()
    expect(await pullOnServer(ctx, again?.payload as Pull)).toEqual([])
  }
  /** Starts a pull whose platform answers when the test says so. Its run ends before. */
  const pullSlowly = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    slow = promise
    const claim = (lostAfterMs: number) => claimPulls(ctx.db.system, { platforms: ['mastodon'], perPlatform: 9, lostAfterMs })
    const [ref] = await claim(120_000)
    if (!ref) throw new Error('no pull was due')
    // It was claimed a while ago: only the process that is at it keeps it.
    await ctx.db.system
      .updateTable('metric_pull')
      .where('workspace_id', '=', workspaceId)
      .set({ handed_at: new Date(Date.now() - 60_000) })
      .execute()
    expect(await pullOnServer(ctx, ref)).toEqual([])
    return { finish: resolve, claimAgain: claim }
  }
  const state = async () => {
    const query = ctx.db.system.selectFrom('metric_pull').where('workspace_id', '=', workspaceId).selectAll()
    const { due_at, handed_at, wanted_at, failures } = await query.executeTakeFirstOrThrow()
    const waitMinutes = due_at && Math.round((due_at.getTime() - Date.now()) / minuteMs)
    return { waitMinutes, isClaimed: handed_at !== null, isRequested: wanted_at !== null, failures }
  }
  const requestFigures = () => ctx.db.tenant(workspaceId, (tx) => requestPulls(tx, [publisher], new Date(ctx.nowMs())))
  const days = () => ctx.db.system.selectFrom('metric_day').where('workspace_id', '=', workspaceId).selectAll().execute()
  const latest = () => ctx.db.system.selectFrom('channel_metric').where('workspace_id', '=', workspaceId).selectAll().execute()
  return { calls, pull, pullSlowly, pullWithRenewal, state, requestFigures, days, latest }
}

async function insertPublished(
  ctx: Context,
  { workspaceId, connectionId, platform }: { workspaceId: string; connectionId: string; platform: string },
  agesMs: readonly number[],
): Promise<void> {
  const nowMs = ctx.nowMs()
  const now = new Date(nowMs)
  const post = { workspace_id: workspaceId, id: newId(nowMs), request_id: newUuid(), platform_options: '{}', warnings: '[]' }
  const times = { created_at: now, updated_at: now }
  await ctx.db.tenant(workspaceId, async (tx) => {
    await tx
      .insertInto('post')
      .values({ ...post, ...times, status: 'completed', type: 'text' })
      .execute()
    const rows = agesMs.map((ageMs, position) => ({
      workspace_id: workspaceId,
      id: newId(nowMs),
      post_id: post.id,
      position,
      connection_id: connectionId,
      connection_slug: 'mastodon-tower',
      target_name: 'Tower',
      platform,
      state: 'published' as const,
      needs_stage: false,
      platform_post_id: String(position),
      published_at: new Date(nowMs - ageMs),
      finished_at: new Date(nowMs - ageMs),
      warnings: '[]',
    }))
    await tx.insertInto('channel').values(rows).execute()
  })
}

test('figures are stored by day, and the next pull is due when the newest post is due', async () => {
  const { calls, pull, state, days } = await open({ agesMs: [60 * minuteMs, 5 * dayMs], answer: () => ({ likes: 3, shares: 0 }) })
  expect(await pull()).toBeNull()
  expect(calls).toEqual([2])
  expect((await days()).map(({ likes, shares, clicks }) => [likes, shares, clicks])).toEqual([
    ['3', '0', null],
    ['3', '0', null],
  ])
  expect(await state()).toEqual({ waitMinutes: 60, isClaimed: false, isRequested: false, failures: 0 })
})

/** Guarantee: an account whose followers cannot be counted keeps its figures and their times. */
test.for(['rejected', 'gone', 'auth', 'unavailable', 'unknown'] as const)(
  'followers that are %s cost no figures',
  async (kind) => {
    const { pull, state, days } = await open({ agesMs: [60 * minuteMs], answer: () => ({ likes: 3 }), followers: kind })
    expect(await pull()).toBeNull()
    expect((await days()).map(({ likes }) => likes)).toEqual(['3'])
    expect(await state()).toEqual({ waitMinutes: 60, isClaimed: false, isRequested: false, failures: 0 })
  },
)

test('guarantee: a figure that a platform stops reporting keeps its last value', async () => {
  let answer: Figures = { likes: 1, comments: 2, shares: 3, impressions: 4, clicks: 5, saves: 6 }
  const { pull, latest, requestFigures } = await open({ agesMs: [dayMs], answer: () => answer })
  await pull()
  answer = { likes: 10 }
  await server.ctx.db.system.updateTable('metric_pull').set({ due_at: null }).execute()
  await server.ctx.db.system
    .updateTable('channel_metric')
    .set({ asked_at: new Date(0) })
    .execute()
  await requestFigures()
  expect(await pull()).toBeNull()
  expect(await latest()).toMatchObject([{ likes: '10', comments: '2', shares: '3', impressions: '4', clicks: '5', saves: '6' }])
})

test('a user request includes older posts than the automatic pull, and leaves no further pull', async () => {
  const { calls, pull, state } = await open({ agesMs: [60 * dayMs, 100 * dayMs], answer: () => ({ likes: 1 }) })
  await pull()
  expect(calls).toEqual([1])
  expect(await state()).toMatchObject({ waitMinutes: null, isRequested: false })
})

/** Guarantee: reading never uses up the limits that publishing needs. */
test('many posts are requested in parts, with a pause between them', async () => {
  const { calls, pull, state } = await open({ agesMs: Array.from({ length: 60 }, () => dayMs), answer: () => ({ likes: 1 }) })
  await pull()
  expect(calls).toEqual([50])
  expect(await state()).toMatchObject({ waitMinutes: 2, isRequested: true })
  expect(await pull()).toBe('nothing due')
})

test('a platform that limits us is not called until its wait is over, even if a user requests figures', async () => {
  const { calls, pull, state, requestFigures } = await open({ agesMs: [dayMs], answer: () => 'limited' })
  await pull()
  expect(await state()).toEqual({ waitMinutes: 7, isClaimed: false, isRequested: true, failures: 0 })
  expect(await requestFigures()).toBe(0)
  expect([await pull(), calls.length]).toEqual(['nothing due', 1])
})

/** Guarantee: a token that is not accepted causes one request per day. */
test('a token that is not accepted and cannot be renewed is not tried again before tomorrow', async () => {
  const { calls, pull, state } = await open({ agesMs: [dayMs], answer: () => 'auth' })
  expect(await pull()).toBeNull()
  expect(await state()).toEqual({ waitMinutes: 1440, isClaimed: false, isRequested: false, failures: 0 })
  expect([await pull(), calls.length]).toEqual(['nothing due', 1])
})

test('a token that can be renewed is renewed once', async () => {
  const { pull, state } = await open({ agesMs: [dayMs], answer: () => 'auth', canRenew: true })
  expect(await pull()).toMatchObject({ seenAtMs: expect.any(Number) as number })
  // The pull is still in progress: the run that requested the renewal continues it.
  expect(await state()).toMatchObject({ isClaimed: true, isRequested: true })
  expect(await pull()).toBe('nothing due')
})

/** Guarantee: figures are not missing for a day because the platform could not renew a token for a few minutes. */
test('if the token cannot be renewed now, the pull is due again when the renewal may be repeated', async () => {
  const { calls, pull, pullWithRenewal, state, requestFigures } = await open({
    agesMs: [dayMs],
    answer: () => 'auth',
    canRenew: true,
  })
  await pullWithRenewal({ renew_after: new Date(Date.now() + 5 * minuteMs) })
  expect(await state()).toEqual({ waitMinutes: 5, isClaimed: false, isRequested: true, failures: 0 })
  // The rejected token is not tried again before, not even for a user's request.
  expect(await requestFigures()).toBe(0)
  expect([await pull(), calls.length]).toEqual(['nothing due', 1])
})

test('if the renewal has no result yet, the pull is due again soon', async () => {
  const { pullWithRenewal, state } = await open({ agesMs: [dayMs], answer: () => 'auth', canRenew: true })
  await pullWithRenewal({ renewing_until: new Date(Date.now() + minuteMs) })
  expect(await state()).toEqual({ waitMinutes: 1, isClaimed: false, isRequested: true, failures: 0 })
})

test('if the token was refused, the pull ends until tomorrow', async () => {
  const { pullWithRenewal, state } = await open({ agesMs: [dayMs], answer: () => 'auth', canRenew: true })
  await pullWithRenewal({ status: 'needs_reconnect' })
  expect(await state()).toEqual({ waitMinutes: 1440, isClaimed: false, isRequested: false, failures: 0 })
})

test('if the token was renewed, the figures are requested with the new one', async () => {
  const answers: Answer[] = ['auth', { likes: 3 }]
  const { calls, pullWithRenewal, state, days } = await open({
    agesMs: [60 * minuteMs],
    answer: () => answers.shift() ?? 'rejected',
    canRenew: true,
  })
  await pullWithRenewal({ token_renewed_at: new Date(Date.now() + minuteMs) })
  expect([calls.length, (await days()).map(({ likes }) => likes)]).toEqual([2, ['3']])
  expect(await state()).toMatchObject({ waitMinutes: 60, isClaimed: false, isRequested: false })
})

test('a platform that is unavailable is called again a little later', async () => {
  const { pull, state } = await open({ agesMs: [dayMs], answer: () => 'unavailable' })
  await pull()
  expect(await state()).toEqual({ waitMinutes: 1, isClaimed: false, isRequested: true, failures: 1 })
})

/** Guarantee: a pull that a process is still at is not claimed again, and one whose process died is, after two minutes. */
test('a pull of a slow server goes on after its run has ended', async () => {
  const { pullSlowly, state, days } = await open({ agesMs: [dayMs], answer: () => ({ likes: 3 }) })
  const { finish, claimAgain } = await pullSlowly()
  expect(await claimAgain(30_000)).toEqual([])
  finish()
  await expect.poll(async () => (await state()).isClaimed, { timeout: 10_000 }).toBe(false)
  expect(await days()).not.toEqual([])
})
