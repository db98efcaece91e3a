import type { ChannelError } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { armBatch } from '../send/arm-batch.ts'
import type { Finished } from './result.ts'
import { settle } from './settle.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const error: ChannelError = channelError('platform_unavailable')

/** Claims what is due and sets the guards. */
async function arm({ ctx, claim }: TestPublisher): Promise<ChannelRef[]> {
  const refs = (await claim()).flatMap((batch) => batch.refs)
  await armBatch(ctx, refs)
  return refs
}

function finish({ ctx }: TestPublisher, ref: ChannelRef | undefined, postId: string, result: Finished['result']) {
  if (!ref) throw new Error('nothing was armed')
  return settle(ctx, [{ ref, postId, isolated: false, tokenRenewedAtMs: null, result }])
}

async function eventsOf({ ctx }: TestPublisher, postId: string): Promise<string[]> {
  const rows = await ctx.db.system
    .selectFrom('outbox_event')
    .where('post_id', '=', postId)
    .select('event')
    .orderBy('id')
    .execute()
  return rows.map(({ event }) => event)
}

describe('guarantee: what happened to a channel and to its post is an event', () => {
  test.each([
    ['published', { kind: 'published', postId: '1', postUrl: null, warnings: [], atMs: 0 }, 'completed'],
    ['failed', { kind: 'failed', error }, 'failed'],
    ['unconfirmed', { kind: 'unconfirmed', error }, 'failed'],
  ] as const)('%s', async (state, result, status) => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('told')
    const [ref] = await arm(world)
    await finish(world, ref, id, result)
    const events = await eventsOf(world, id)
    expect(events.filter((event) => event.startsWith('channel.'))).toEqual([`channel.${state}`])
    expect(events.filter((event) => event.startsWith('upload.'))).toContain(`upload.${status}`)
    await world.close()
  })
})

describe('guarantee: a result counts for the attempt that it belongs to', () => {
  test('one of an earlier generation changes nothing', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('tried again')
    const [first] = await arm(world)
    await finish(world, first, id, { kind: 'later', atMs: Date.now() - 1000, error, renew: false, waiting: null })
    const [second] = await arm(world)
    expect(second?.generation).toBeGreaterThan(first?.generation ?? 0)
    await finish(world, first, id, { kind: 'failed', error })
    expect(await world.states(id)).toEqual(['publishing'])
    await world.close()
  })

  test('a failure that arrives after the channel was settled changes nothing', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('settled')
    const [ref] = await arm(world)
    await finish(world, ref, id, { kind: 'published', postId: '1', postUrl: null, warnings: [], atMs: 0 })
    await finish(world, ref, id, { kind: 'failed', error })
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('an answer that arrives after all replaces `unconfirmed`', async () => {
    const world = await openPublisher(database, { x: {} })
    const id = await world.create('doubted')
    const [ref] = await arm(world)
    await finish(world, ref, id, { kind: 'unconfirmed', error })
    expect(await world.states(id)).toEqual(['unconfirmed'])
    await finish(world, ref, id, { kind: 'published', postId: '1', postUrl: null, warnings: [], atMs: 0 })
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })
})
