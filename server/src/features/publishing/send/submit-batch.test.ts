import { PlatformError } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { recoverChannels } from '../recover/recover-channel.ts'
import { settle } from '../settle/settle.ts'
import { armBatch } from './arm-batch.ts'
import { finishSends, submitBatch } from './submit-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const platformError = (kind: PlatformError['kind'], retryAfterMs?: number) =>
  new PlatformError({ kind, platformCode: null, message: kind, retryAfterMs })

describe('guarantee: a channel is sent once', () => {
  test('the same batch twice sends once and asks about the rest', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('once')
    const [batch] = await world.claim()
    if (!batch) throw new Error('nothing was claimed')
    const [first, second] = await Promise.all([submitBatch(world.ctx, batch), submitBatch(world.ctx, batch)])
    expect(world.sent).toEqual(['once'])
    // Both runs know the result; storing it twice changes nothing.
    expect(second.finished).toEqual(first.finished)
    for (const { finished, jobs } of [first, second]) {
      expect(jobs).toEqual([])
      await settle(world.ctx, finished)
    }
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('by one of two processes: the other one asks about it', async () => {
    const world = await openPublisher(database, { x: {} })
    await world.create('once')
    const [batch] = await world.claim()
    if (!batch) throw new Error('nothing was claimed')
    await submitBatch(world.ctx, batch)
    const other = { ...world.ctx, resources: createResources<Context>() }
    const { finished, jobs } = await submitBatch(other, batch)
    expect(world.sent).toEqual(['once'])
    expect(finished).toEqual([])
    expect(jobs).toMatchObject([{ handler: 'recover', payload: { refs: batch.refs, callEnded: false } }])
    await world.close()
  })
})

/** Keeps the results of the first steps of a run, as the engine does, and loses the others. */
function createJournal(kept: number) {
  const results: unknown[] = []
  return (isLost: boolean) => {
    let step = 0
    return async <T>(_name: string, work: () => Promise<T>): Promise<T> => {
      const n = step++
      if (n < results.length) return results[n] as T
      const result = await work()
      if (isLost && n >= kept) throw new Error('the engine was away when the step had ended')
      results.push(result)
      return result
    }
  }
}

describe('guarantee: an answer that a living process holds is not thrown away when the engine loses the run', () => {
  /** Runs a batch whose result the engine loses after so many steps, and runs it again. */
  async function repeat(world: TestPublisher, kept: number) {
    const [batch] = await world.claim()
    if (!batch) throw new Error('nothing was claimed')
    const journal = createJournal(kept)
    await expect(submitBatch(world.ctx, batch, journal(true))).rejects.toThrow('the engine was away')
    return submitBatch(world.ctx, batch, journal(false))
  }

  test('after the call', async () => {
    const world = await openPublisher(database, { linkedin: {} })
    const ids = [await world.create('the same words'), await world.create('the same words')]
    const { finished, jobs } = await repeat(world, 1)
    expect(jobs).toEqual([])
    expect(finished).toMatchObject([{ result: { kind: 'published' } }, { result: { kind: 'published' } }])
    await settle(world.ctx, finished)
    expect(world.sent).toHaveLength(2)
    for (const id of ids) expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('between the guard and the call: it is sent once, by the repeat', async () => {
    const world = await openPublisher(database, { linkedin: {} })
    const id = await world.create('guarded')
    const { finished, jobs } = await repeat(world, 0)
    expect(jobs).toEqual([])
    expect(world.sent).toEqual(['guarded'])
    await settle(world.ctx, finished)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('during the call: the repeat waits for the answer', async () => {
    const answer = Promise.withResolvers<void>()
    const world = await openPublisher(database, {
      linkedin: {
        async submit() {
          await answer.promise
          return { state: 'published', postId: 'urn:1', postUrl: null }
        },
      },
    })
    const id = await world.create('in progress')
    const [batch] = await world.claim()
    if (!batch) throw new Error('nothing was claimed')
    const first = submitBatch(world.ctx, batch)
    await expect.poll(() => world.sent.length).toBe(1)
    const second = submitBatch(world.ctx, batch)
    answer.resolve()
    const { finished, jobs } = await second
    await first
    expect(jobs).toEqual([])
    await settle(world.ctx, finished)
    expect(world.sent).toHaveLength(1)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('for good: the process stores it', async () => {
    const world = await openPublisher(database, { linkedin: {} })
    const id = await world.create('the run never returns')
    const [batch] = await world.claim()
    const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
    expect(finished).toHaveLength(1)
    expect(await world.states(id)).toEqual(['publishing'])
    await expect.poll(() => world.states(id), { timeout: 40_000 }).toEqual(['success'])
    await world.close()
  }, 60_000)

  test('for good, and the process stops: it stores the answer, and returns what it did not send to the schedule', async () => {
    const world = await openPublisher(database, { linkedin: {} })
    const answered = await world.create('answered')
    const [batch] = await world.claim()
    await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
    const guarded = await world.create('guarded')
    const [next] = await world.claim()
    await expect(
      submitBatch(world.ctx, next ?? { platform: 'linkedin', refs: [], dueAtMs: 0 }, createJournal(0)(true)),
    ).rejects.toThrow('the engine was away')
    expect(await finishSends(world.ctx, 30_000)).toBe(true)
    expect(world.sent).toEqual(['answered'])
    expect(await world.states(answered)).toEqual(['success'])
    expect(await world.states(guarded)).toEqual(['pending'])
    await world.close()
  })

  test('while recovery looks at it: the platform is not asked about an answer that is here', async () => {
    let asked = 0
    const world = await openPublisher(database, {
      x: { find: async () => (asked++, { state: 'unknown' }) },
    })
    await world.create('answered')
    const [batch] = await world.claim()
    await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
    const jobs = await recoverChannels(world.ctx, { refs: batch?.refs ?? [], round: 0, callEnded: false })
    expect(asked).toBe(0)
    expect(jobs).toMatchObject([{ handler: 'recover', payload: { round: 0 } }])
    await world.close()
  })
})

describe('guarantee: what was not sent is a failure or waits, never a doubt', () => {
  test('an exception of our own before the first byte', async () => {
    const world = await openPublisher(database, {
      linkedin: { submit: () => Promise.reject(new TypeError('Invalid URL')) },
    })
    const id = await world.create('broken')
    const seen: unknown[] = []
    for (let n = 0; n < 3; n++) {
      await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ dispatch_at: new Date() }).execute()
      const [batch] = await world.claim()
      const { finished, jobs } = await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
      expect(jobs).toEqual([])
      await settle(world.ctx, finished)
      seen.push(await world.states(id))
    }
    expect(seen).toEqual([['pending'], ['pending'], ['failed']])
    await world.close()
  })

  test('a platform that is down is tried again for a day, not for a number of times', async () => {
    const world = await openPublisher(database, { x: { submit: () => Promise.reject(platformError('unavailable')) } })
    const id = await world.create('later')
    for (let n = 0; n < 30; n++) {
      const [batch] = await world.claim()
      if (!batch) throw new Error('nothing was claimed')
      const { finished } = await submitBatch(world.ctx, batch)
      expect(finished[0]?.result.kind).toBe('later')
      await settle(world.ctx, finished)
      await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ dispatch_at: new Date() }).execute()
    }
    expect(await world.states(id)).toEqual(['pending'])
    await world.close()
  })

  test('a dead token holds the channel until the account is connected again', async () => {
    const world = await openPublisher(database, { linkedin: { submit: () => Promise.reject(platformError('auth')) } })
    const id = await world.create('held')
    await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ renew_token: true }).execute()
    const [batch] = await world.claim()
    const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
    await settle(world.ctx, finished)
    expect(await world.states(id)).toEqual(['pending'])
    const row = await world.ctx.db.system.selectFrom('channel').where('post_id', '=', id).selectAll().executeTakeFirstOrThrow()
    expect(row.waiting_reason).toBe('reconnect')
    await world.close()
  })
})

test('guarantee: one answer that the database refuses does not hold the others', async () => {
  const answers = ['good-1', 'bad\u0000id', 'good-2']
  const world = await openPublisher(database, {
    x: { submit: async () => ({ state: 'published', postId: answers.shift() ?? '', postUrl: null }) },
  })
  const ids = [await world.create('a'), await world.create('b'), await world.create('c')]
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
  await settle(world.ctx, finished)
  for (const id of ids) expect(await world.states(id)).toEqual(['success'])
  await world.close()
})

test('guarantee: a late post is held whole or not at all', async () => {
  const world = await openPublisher(database, { x: {}, threads: {} })
  await world.ctx.db.system
    .updateTable('workspace')
    .where('id', '=', world.workspaceId)
    .set({ hold_if_late_minutes: 5 })
    .execute()
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  const [partly, untouched] = [await world.create('partly', { scheduledAt }), await world.create('untouched', { scheduledAt })]
  const late = new Date(Date.now() - 600_000)
  for (const id of [partly, untouched]) {
    await world.ctx.db.system.updateTable('post').where('id', '=', id).set({ scheduled_at: late }).execute()
    await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ due_at: late, dispatch_at: late }).execute()
  }
  const [first, second] = await world.claim()
  if (!first || !second) throw new Error('two batches were expected')
  // One channel of the first post is already guarded by another run, whose post row still says `scheduled`.
  const { refs } = first
  const rows = await world.ctx.db.system.selectFrom('channel').where('post_id', '=', partly).select(['id', 'platform']).execute()
  const guarded = rows.find(({ platform }) => platform === first.platform)
  await armBatch(
    world.ctx,
    refs.filter(({ channelId }) => channelId === guarded?.id),
  )
  await submitBatch(world.ctx, second)
  expect((await world.call('GET', `/content/${partly}`)).data.status).not.toBe('draft')
  expect((await world.call('GET', `/content/${untouched}`)).data.status).toBe('draft')
  await world.close()
})
