import type { ChannelError } from '@carillon/contract'
import pg from 'pg'
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

test('guarantee: each channel of a batch gets its own address, id, warnings and time', async () => {
  const world = await openPublisher(database, { x: {} })
  const posts = [await world.create('a'), await world.create('b'), await world.create('c')]
  const refs = await arm(world)
  const channels = () => world.ctx.db.system.selectFrom('channel').where('post_id', 'in', posts).selectAll().execute()
  const postOf = new Map((await channels()).map((row) => [row.id, row.post_id]))
  const [later, ...published] = refs
  if (!later) throw new Error('nothing was armed')
  const laterAtMs = Date.now() + 600_000
  const postponed = {
    kind: 'later' as const,
    atMs: laterAtMs,
    error: channelError('platform_unavailable'),
    renew: false,
    waiting: null,
  }
  await settle(
    world.ctx,
    refs.map((ref) => ({
      ref,
      postId: postOf.get(ref.channelId) ?? '',
      isolated: false,
      tokenRenewedAtMs: null,
      result:
        ref === later
          ? postponed
          : {
              kind: 'published' as const,
              postId: `id-${ref.channelId}`,
              postUrl: `https://p.example/${ref.channelId}`,
              warnings: [`w-${ref.channelId}`],
              atMs: Date.now(),
            },
    })),
  )
  const rowOf = new Map((await channels()).map((row) => [row.id, row]))
  expect(published).toHaveLength(2)
  for (const { channelId } of published)
    expect(rowOf.get(channelId)).toMatchObject({
      state: 'published',
      platform_post_id: `id-${channelId}`,
      post_url: `https://p.example/${channelId}`,
      warnings: [`w-${channelId}`],
    })
  expect(rowOf.get(later.channelId)).toMatchObject({
    state: 'scheduled',
    post_url: null,
    dispatch_at: new Date(laterAtMs),
    warnings: [],
  })
  await world.close()
})

test('guarantee: a result that cannot be stored does not hold those behind it', async () => {
  const world = await openPublisher(database, { x: {} })
  const ids = [await world.create('first'), await world.create('second'), await world.create('third')]
  const refs = await arm(world)
  const rows = await world.ctx.db.system.selectFrom('channel').where('post_id', 'in', ids).select(['id', 'post_id']).execute()
  const finished = refs.map((ref, n): Finished => {
    const postId = rows.find(({ id }) => id === ref.channelId)?.post_id ?? ''
    const result = { kind: 'published', postId: `stored ${n}`, postUrl: null, warnings: [], atMs: Date.now() } as const
    return { ref, postId, isolated: false, tokenRenewedAtMs: null, result }
  })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'this channel cannot be stored'; end $$;
    create trigger refuse before update on part for each row when (old.id = '${refs[0]?.channelId}') execute function refuse()`)
  await expect(settle(world.ctx, finished)).rejects.toThrow('this channel cannot be stored')
  const statuses = (await Promise.all(finished.map(({ postId }) => world.states(postId)))).flat()
  expect(statuses).toEqual(['publishing', 'success', 'success'])
  await client.query('drop trigger refuse on part; drop function refuse()')
  await client.end()
  await settle(world.ctx, finished)
  expect(await world.states(finished[0]?.postId ?? '')).toEqual(['success'])
  await world.close()
})
