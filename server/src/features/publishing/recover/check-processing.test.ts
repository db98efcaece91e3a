import { PlatformError, type Outcome } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUuid } from '../../../infra/db/ids.ts'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { PublishJobs } from '../jobs.ts'
import { sweep } from '../dispatch/dispatch.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { checkProcessing } from './check-processing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** A post that the platform is processing. */
async function publishSlowly(check: () => Promise<Outcome>, refreshToken?: string, finishWithinMs?: number) {
  const world = await openPublisher(database, {
    x: {
      submit: async () => ({
        state: 'processing',
        reference: 'r1',
        checkAfterMs: 1_000,
        ...(finishWithinMs !== undefined && { finishWithinMs }),
      }),
      check,
      ...(refreshToken !== undefined && { refreshToken }),
    },
  })
  const id = await world.create('slow')
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
  const [job] = await settle(world.ctx, finished)
  if (!job) throw new Error('nothing is to be checked')
  const { ref } = job.payload as PublishJobs['check']
  return { world, id, ref }
}

describe('guarantee: a token that ends while a platform processes a post does not leave the post unconfirmed', () => {
  const expired = () => Promise.reject(new PlatformError({ kind: 'auth', platformCode: null, message: 'expired' }))
  const published = async () => ({ state: 'published', postId: '7', postUrl: null }) as const

  test('the token is renewed, and the platform is asked with the new one', async () => {
    let checks = 0
    const { world, id, ref } = await publishSlowly(() => (++checks === 1 ? expired() : published()), 'refresh')
    const jobs = await checkProcessing(world.ctx, ref, 3)
    expect(jobs.map(({ service, handler, payload }) => [service, handler, payload])).toEqual([
      ['connection', 'renew', { seenAtMs: expect.any(Number) }],
      ['publish', 'check', { ref, round: 4 }],
    ])
    await checkProcessing(world.ctx, ref, 4)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('it is renewed once, not with every question', async () => {
    const { world, ref } = await publishSlowly(expired, 'refresh')
    const renewed = new Date(Date.now() + 60_000)
    const connections = world.ctx.db.system.updateTable('connection').where('workspace_id', '=', world.workspaceId)
    await connections.set({ token_renewed_at: renewed }).execute()
    expect(await checkProcessing(world.ctx, ref, 3)).toMatchObject([{ handler: 'check', payload: { round: 4 } }])
    await world.close()
  })

  test('a token that cannot be renewed is only tried again', async () => {
    const { world, ref } = await publishSlowly(expired)
    expect(await checkProcessing(world.ctx, ref, 3)).toMatchObject([{ handler: 'check', payload: { round: 4 } }])
    await world.close()
  })
})

describe('guarantee: a post that a person has to finish is asked about for as long as they may, whatever happens meanwhile', () => {
  const hourMs = 3_600_000
  const waiting = async () => ({ state: 'processing', reference: 'r1', checkAfterMs: 300_000 }) as const
  const away = () => Promise.reject(new PlatformError({ kind: 'unavailable', platformCode: null, message: 'away' }))
  const published = async () => ({ state: 'published', postId: newUuid(), postUrl: null }) as const

  async function openWaiting(refreshToken?: string) {
    const platform: { answer: () => Promise<Outcome> } = { answer: waiting }
    const { world, id, ref } = await publishSlowly(() => platform.answer(), refreshToken, 24 * hourMs)
    const result = async () => (await world.call('GET', `/content/${id}`)).data.channels[0].result
    return { world, id, ref, platform, result, ask: (round = 7) => checkProcessing(world.ctx, ref, round) }
  }

  test('it says where it waits and until when, however often the platform was asked', async () => {
    const { world, result, ask } = await openWaiting()
    expect(await ask(500)).toMatchObject([{ handler: 'check', payload: { round: 501 }, delayMs: 300_000 }])
    const { status, waiting: shown } = await result()
    expect([status, shown.reason]).toEqual(['publishing', 'finish_in_app'])
    expect(Math.abs(Date.parse(shown.until) - Date.now() - 24 * hourMs)).toBeLessThan(60_000)
    await world.close()
  })

  test('the platform is away when the time ends, and says later that it was published', async () => {
    const { world, platform, result, ask } = await openWaiting()
    platform.answer = away
    world.pass(25 * hourMs)
    expect(await ask()).toMatchObject([{ handler: 'check', delayMs: 300_000 }])
    platform.answer = published
    expect(await ask()).toEqual([])
    expect(await result()).toMatchObject({ status: 'success', waiting: null, error: null })
    await world.close()
  })

  test('its run is lost: the sweep finds it, and counts no time that has passed as questions', async () => {
    const { world, id, result, ask, platform } = await openWaiting()
    const parts = world.ctx.db.system.updateTable('part').where('post_id', '=', id)
    await parts.set({ recover_at: new Date(Date.now() - 1_000) }).execute()
    await sweep(world.ctx)
    expect(world.jobs.filter(({ handler }) => handler === 'check')).toMatchObject([{ payload: { round: 0 } }])
    world.pass(3 * hourMs)
    expect(await ask(0)).toMatchObject([{ handler: 'check', payload: { round: 1 } }])
    platform.answer = published
    await ask(1)
    expect(await result()).toMatchObject({ status: 'success' })
    await world.close()
  })

  test('we were away until after the end: the platform is asked once more before it is given up', async () => {
    const { world, platform, result, ask } = await openWaiting()
    platform.answer = published
    world.pass(40 * hourMs)
    expect(await ask(0)).toEqual([])
    expect(await result()).toMatchObject({ status: 'success' })
    await world.close()
  })

  test.for([
    ['still waits', waiting],
    ['is away', away],
  ] as const)('the platform %s after a day and two hours: it is not known, and a person may say it', async ([, answer]) => {
    const { world, id, platform, result, ask } = await openWaiting()
    platform.answer = answer
    world.pass(25.9 * hourMs)
    expect(await ask()).toHaveLength(1)
    world.pass(0.2 * hourMs)
    expect(await ask()).toEqual([])
    expect(await result()).toMatchObject({ status: 'unconfirmed', waiting: null, error: { code: 'finish_unknown' } })
    const { data } = await world.call('GET', `/content/${id}`)
    const resolved = await world.call('POST', `/content/${id}/channels/${data.channels[0].id}/resolve`, { outcome: 'published' })
    expect(resolved.data.channels[0].result).toMatchObject({ status: 'success' })
    await world.close()
  })

  test('the platform says that it failed', async () => {
    const { world, platform, result, ask } = await openWaiting()
    platform.answer = () =>
      Promise.reject(new PlatformError({ kind: 'rejected', platformCode: 'cancelled', message: 'Discarded.' }))
    expect(await ask()).toEqual([])
    expect(await result()).toMatchObject({ status: 'failed', waiting: null, error: { platformCode: 'cancelled' } })
    await world.close()
  })

  test('its token ends many times, and is renewed each time', async () => {
    const { world, ask, platform } = await openWaiting('refresh')
    platform.answer = () => Promise.reject(new PlatformError({ kind: 'auth', platformCode: null, message: 'expired' }))
    const renewedBefore = async (ms: number) => {
      const connections = world.ctx.db.system.updateTable('connection').where('workspace_id', '=', world.workspaceId)
      await connections.set({ token_renewed_at: new Date(world.ctx.nowMs() - ms) }).execute()
    }
    for (const _ of ['morning', 'noon', 'night']) {
      world.pass(8 * hourMs)
      await renewedBefore(2 * hourMs)
      expect((await ask()).map(({ service, handler }) => [service, handler])).toEqual([
        ['connection', 'renew'],
        ['publish', 'check'],
      ])
      // A new token was not the cause.
      await renewedBefore(300_000)
      expect((await ask()).map(({ handler }) => handler)).toEqual(['check'])
    }
    await world.close()
  })
})
