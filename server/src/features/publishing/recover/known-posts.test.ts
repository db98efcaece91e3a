import { PlatformError, type Sent } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Inquiry } from '../jobs.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { recoverChannels } from './recover-channel.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** Two posts with the same text: without this the second, whose answer was lost, would be taken for the first. */
test('guarantee: recovery does not take the post of another channel for the one that it looks for', async () => {
  const world = await openPublisher(database, {
    x: { submit: () => answers.shift()?.() ?? Promise.reject(new Error('too many')) },
  })
  const answers = [
    () => Promise.resolve({ state: 'published' as const, postId: 'first', postUrl: null }),
    () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' })),
  ]
  const asked: Sent<unknown>[] = []
  const { x } = world.ctx.connectors
  const find: typeof x.find = async (_client, sent) => {
    asked.push(sent)
    return { state: 'unknown' }
  }
  Object.assign(world.ctx, { connectors: { ...world.ctx.connectors, x: { ...x, find } } })

  let inquiry: Inquiry | undefined
  for (const text of ['first', 'second']) {
    await world.create(text)
    const [batch] = await world.claim()
    const { finished, jobs } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
    await settle(world.ctx, finished)
    inquiry = jobs[0]?.payload as Inquiry | undefined
  }
  if (!inquiry) throw new Error('there is nothing to recover')
  await recoverChannels(world.ctx, inquiry)
  expect(asked.map(({ knownPostIds }) => [...knownPostIds])).toEqual([['first']])
  await world.close()
})
