import { PlatformError } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { settle } from '../settle/settle.ts'
import { armBatch } from './arm-batch.ts'
import { submitBatch } from './submit-batch.ts'

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
    const finished = [...first.finished, ...second.finished]
    expect(finished).toHaveLength(1)
    await settle(world.ctx, finished)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })
})

describe('guarantee: what was not sent is a failure or waits, never a doubt', () => {
  test('an exception of our own before the first byte', async () => {
    const world = await openPublisher(database, {
      linkedin: { submit: () => Promise.reject(new TypeError('Invalid URL')) },
    })
    const id = await world.create('broken')
    const [batch] = await world.claim()
    const { finished, jobs } = await submitBatch(world.ctx, batch ?? { platform: 'linkedin', refs: [], dueAtMs: 0 })
    expect(jobs).toEqual([])
    expect(finished[0]?.result).toMatchObject({ kind: 'failed', error: { code: 'publish_failed' } })
    await settle(world.ctx, finished)
    expect(await world.states(id)).toEqual(['failed'])
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
