import { PlatformError, type Draft, type Outcome } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { parseAllow } from '../../../infra/egress/address.ts'
import { openCanary } from '../../../infra/egress/canary.fixture.ts'
import { createEgress } from '../../../infra/egress/egress.ts'
import { requestNewToken, storeTokenAnswer } from '../../connections/renew-token.ts'
import type { Preparation } from '../jobs.ts'
import { openPublisher, type TestPlatform } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { findNeeds, stageChannel } from './stage-channel.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

function failure(kind: 'auth' | 'unavailable'): Promise<never> {
  return Promise.reject(new PlatformError({ kind, platformCode: null, message: kind }))
}

/** A post that has to be staged, on a platform that counts its calls. */
async function openStaged(platform: TestPlatform) {
  const world = await openPublisher(database, { x: { refreshToken: 'refresh', ...platform } })
  const renewals: string[] = []
  const { x } = world.ctx.connectors
  const renew = () => {
    renewals.push('renewed')
    return Promise.resolve({ accessToken: 'second', refreshToken: 'refresh' })
  }
  Object.assign(world.ctx, { connectors: { ...world.ctx.connectors, x: { ...x, auth: { ...x.auth, renew } } } })
  await world.create('staged')
  return {
    world,
    renewals,
    /** Claims the channel and does what the workflow does to prepare it. */
    async prepare(): Promise<void> {
      const [batch] = await world.claim()
      let next: Preparation | undefined = batch?.refs[0]
      while (next) {
        const { renewal } = await findNeeds(world.ctx, next)
        if (renewal) {
          world.pass(10)
          const answer = await requestNewToken(world.ctx, renewal.connection, renewal.seenAtMs)
          await storeTokenAnswer(world.ctx, renewal.connection, answer)
        }
        const [job] = await stageChannel(world.ctx, next)
        next = job?.handler === 'prepare' ? (job.payload as Preparation) : undefined
      }
    },
    async send(): Promise<void> {
      const [batch] = await world.claim()
      if (!batch) throw new Error('nothing was claimed')
      const { finished } = await submitBatch(world.ctx, batch)
      await settle(world.ctx, finished)
    },
    /** Ends every wait. */
    async hurry(): Promise<void> {
      await world.ctx.db.system
        .updateTable('channel')
        .where('workspace_id', '=', world.workspaceId)
        .set({ dispatch_at: new Date(Date.now() - 1000), not_before: null })
        .execute()
    },
    channel: () =>
      world.ctx.db.system
        .selectFrom('channel')
        .select(['state', 'staged', 'prepared'])
        .where('workspace_id', '=', world.workspaceId)
        .executeTakeFirst(),
    connection: () =>
      world.ctx.db.system
        .selectFrom('connection')
        .select('status')
        .where('workspace_id', '=', world.workspaceId)
        .executeTakeFirst(),
  }
}

/** Guarantee: a token that is refused while a post is staged is renewed before the account counts as lost. */
test('the refused token is renewed, and the post is staged with the new one', async () => {
  let stages = 0
  const staged = await openStaged({ stage: () => (++stages === 1 ? failure('auth') : Promise.resolve({ file: 1 })) })
  await staged.prepare()
  if (stages === 1) {
    await staged.hurry()
    await staged.prepare()
  }
  expect(staged.renewals).toHaveLength(1)
  expect(await staged.channel()).toEqual({ state: 'scheduled', staged: { file: 1 }, prepared: true })
  expect(await staged.connection()).toEqual({ status: 'active' })
  await staged.world.close()
})

test('a new token that is refused too means that the account must be connected again', async () => {
  const staged = await openStaged({ stage: () => failure('auth') })
  await staged.prepare()
  expect(staged.renewals).toHaveLength(1)
  expect(await staged.connection()).toEqual({ status: 'needs_reconnect' })
  await staged.world.close()
})

/** Guarantee: a file that the platform has lost, or never received, does not hold a post for good. */
test('what a platform cannot use after two attempts is staged again', async () => {
  let stages = 0
  let answer: () => Promise<Outcome> = () => failure('unavailable')
  const staged = await openStaged({ stage: () => Promise.resolve({ file: ++stages }), submit: () => answer() })
  await staged.prepare()
  await staged.send()
  expect(await staged.channel()).toMatchObject({ state: 'scheduled', staged: { file: 1 } })
  await staged.hurry()
  await staged.send()
  expect(await staged.channel()).toMatchObject({ state: 'scheduled', staged: null })
  await staged.hurry()
  await staged.prepare()
  answer = () => Promise.resolve({ state: 'published', postId: '1', postUrl: null })
  await staged.send()
  expect(stages).toBe(2)
  expect(await staged.channel()).toMatchObject({ state: 'published' })
  await staged.world.close()
})

test('what a platform is still processing is not staged again', async () => {
  const busy = new PlatformError({ kind: 'unavailable', platformCode: null, message: 'processing', retryAfterMs: 1000 })
  const staged = await openStaged({ stage: () => Promise.resolve({ file: 1 }), submit: () => Promise.reject(busy) })
  await staged.prepare()
  for (let n = 0; n < 3; n++) {
    await staged.hurry()
    await staged.send()
  }
  expect(await staged.channel()).toMatchObject({ state: 'scheduled', staged: { file: 1 } })
  await staged.world.close()
})

/** Guarantee: what a page says is read once, before the post is sent, and only for platforms that do not read it themselves. */
test('the page of a link is read while the post is staged', async () => {
  await using site = await openCanary((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Bells</title>'),
  )
  const seen: Draft<unknown>[] = []
  const sent: Draft<unknown>[] = []
  const platform: TestPlatform = {
    stage: async (draft) => ({ card: seen.push(draft) }),
    submit: async (draft) => {
      sent.push(draft)
      return { state: 'published', postId: String(sent.length), postUrl: null }
    },
  }
  const world = await openPublisher(database, { bluesky: platform, linkedin: platform, threads: platform })
  const egress = createEgress({ allow: parseAllow('127.0.0.1') })
  Object.assign(world.ctx, { egress })
  await world.create('linked', { linkUrl: site.url('/') })
  for (const { refs } of await world.claim()) for (const ref of refs) await stageChannel(world.ctx, ref)
  const card = { title: 'Bells', description: null, picture: null, lost: null }
  expect(seen.map((draft) => draft.card)).toEqual(expect.arrayContaining([card, card, undefined]))
  expect(seen).toHaveLength(3)
  for (const batch of await world.claim()) await submitBatch(world.ctx, batch)
  expect(sent.map((draft) => draft.card)).toEqual([undefined, undefined, undefined])
  expect(site.requests()).toBe(1)
  await egress.close()
  await world.close()
})
