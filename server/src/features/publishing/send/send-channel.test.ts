import { connectors, PlatformError, type Handle } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { openCanary } from '../../../infra/egress/canary.fixture.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { settle } from '../settle/settle.ts'
import { armBatch } from './arm-batch.ts'
import { sendChannel } from './send-channel.ts'
import { LeaseExpired, startLease } from './send-lease.ts'
import { submitBatch } from './submit-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

async function attempt({ ctx, claim }: TestPublisher) {
  const [batch] = await claim()
  if (!batch) throw new Error('nothing was claimed')
  const submitted = await submitBatch(ctx, batch)
  await settle(ctx, submitted.finished)
  return submitted
}

test('guarantee: every attempt has the same handle, so that a platform recognises a repeat', async () => {
  const world = await openPublisher(database, { bluesky: {} })
  const id = await world.create('tried again')
  const handles: Handle[] = []
  const { bluesky } = world.ctx.connectors
  const submit: typeof bluesky.submit = async (_client, _draft, _staged, handle) => {
    handles.push(handle)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'down' })
  }
  Object.assign(world.ctx, { connectors: { ...world.ctx.connectors, bluesky: { ...bluesky, submit } } })
  for (let n = 0; n < 2; n++) {
    await attempt(world)
    await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ dispatch_at: new Date() }).execute()
  }
  expect(handles).toHaveLength(2)
  expect(handles[1]).toEqual(handles[0])
  await world.close()
})

test('a channel that was tried often while its platform was down has as many tries left when a file cannot be fetched', async () => {
  const temporary = { kind: 'rejected', platformCode: 'FAILED', message: 'could not fetch the file', isTemporary: true } as const
  const world = await openPublisher(database, {
    bluesky: {
      submit: async () => {
        throw new PlatformError(temporary)
      },
    },
  })
  const id = await world.create('refused')
  const channels = world.ctx.db.system.updateTable('channel').where('post_id', '=', id)
  await channels.set({ tries: 40 }).execute()
  const states: string[] = []
  for (let n = 0; n < 5; n++) {
    await attempt(world)
    states.push(...(await world.states(id)))
    await channels.set({ dispatch_at: new Date() }).execute()
  }
  expect(states).toEqual(['pending', 'pending', 'pending', 'pending', 'failed'])
  await world.close()
})

test('guarantee: an answer that arrives after the run has ended is stored', async () => {
  const answer = Promise.withResolvers<void>()
  const world = await openPublisher(database, {
    x: {
      async submit() {
        await answer.promise
        return { state: 'published', postId: 'late', postUrl: null }
      },
    },
  })
  const id = await world.create('slow')
  const { finished, jobs } = await attempt(world)
  expect(finished).toEqual([])
  expect(jobs.map(({ handler }) => handler)).toEqual(['recover'])
  expect(await world.states(id)).toEqual(['publishing'])
  answer.resolve()
  await expect.poll(() => world.states(id), { timeout: 5_000 }).toEqual(['success'])
  await world.close()
})

test('guarantee: a request is not written when its lease has ended', async () => {
  await using platform = await openCanary((_, response) => response.end('{"data":{"id":"1","text":"paused"}}'))
  const world = await openPublisher(database, { x: {} })
  const config = { ...world.ctx.config, egressAllow: ['127.0.0.1'], platformOrigins: { x: platform.url('') } }
  const ctx = { ...world.ctx, config, connectors }
  await world.create('paused')
  const [batch] = await world.claim()
  const [loaded] = (await armBatch(world.ctx, batch?.refs ?? [])).send
  if (!loaded) throw new Error('nothing was armed')
  const assertValid = () => {
    throw new LeaseExpired()
  }
  expect(await sendChannel(ctx, loaded, { assertValid })).toMatchObject({ kind: 'later' })
  expect(platform.requests()).toBe(0)
  // The same with a lease that is valid, so that the zero above means something.
  expect(await sendChannel(ctx, loaded, startLease())).toMatchObject({ kind: 'published' })
  expect(platform.requests()).toBe(1)
  await world.close()
})

test('guarantee: nothing that a platform answers is dangerous to show or too long to store', async () => {
  const answers = [
    { postId: '1', postUrl: 'javascript:alert(1)' },
    { postId: '2', postUrl: `https://social.example/${'a'.repeat(3_000)}` },
    { postId: '3'.repeat(5_000), postUrl: 'https://social.example/3' },
  ]
  const shown: unknown[] = []
  for (const answer of answers) {
    const world = await openPublisher(database, { mastodon: { submit: async () => ({ state: 'published', ...answer }) } })
    const id = await world.create('hello')
    await attempt(world)
    const { data } = await world.call('GET', `/content/${id}`)
    const [{ result }] = data.channels
    shown.push([result.status, result.postUrl, result.warnings.length])
    await world.close()
  }
  expect(shown).toEqual([
    ['success', null, 0],
    ['success', null, 0],
    ['success', 'https://social.example/3', 1],
  ])
})
