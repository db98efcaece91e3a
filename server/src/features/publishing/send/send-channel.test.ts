import { PlatformError, type Handle } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { settle } from '../settle/settle.ts'
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
