import { PlatformError } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { sendComment } from './send-comment.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** A published post whose first comment is to be sent. */
async function publishWithComment() {
  const world = await openPublisher(database, { x: {} })
  const id = await world.create('the post', { firstComment: 'the comment' })
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
  const jobs = await settle(world.ctx, finished)
  expect(jobs.map(({ handler }) => handler)).toEqual(['comment'])
  const rowOf = () => world.ctx.db.system.selectFrom('channel').where('post_id', '=', id).selectAll().executeTakeFirstOrThrow()
  return { world, ref: jobs[0]?.payload as ChannelRef, rowOf }
}

describe('guarantee: the first comment is posted once', () => {
  test('after its post', async () => {
    const { world, ref, rowOf } = await publishWithComment()
    expect(await sendComment(world.ctx, ref)).toEqual([])
    expect(world.sent).toEqual(['the post', 'the comment'])
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    await world.close()
  })

  test('two runs of the same job', async () => {
    const { world, ref } = await publishWithComment()
    await Promise.all([sendComment(world.ctx, ref), sendComment(world.ctx, ref)])
    await sendComment(world.ctx, ref)
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })
})

test('guarantee: a post is never taken for its own first comment', async () => {
  const asked: string[] = []
  let sends = 0
  const lost = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' }))
  const world = await openPublisher(database, {
    bluesky: {
      submit: () => (sends++ === 0 ? Promise.resolve({ state: 'published', postId: 'the-post', postUrl: null }) : lost()),
      find: async ({ handle, knownPostIds }) => {
        asked.push(handle.key)
        return knownPostIds.has('the-post') ? { state: 'unknown' } : { state: 'published', postId: 'the-post', postUrl: null }
      },
    },
  })
  const id = await world.create('the post', { firstComment: 'the comment' })
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'bluesky', refs: [], dueAtMs: 0 })
  const [job] = await settle(world.ctx, finished)
  await sendComment(world.ctx, job?.payload as ChannelRef)
  const row = await world.ctx.db.system.selectFrom('channel').where('post_id', '=', id).selectAll().executeTakeFirstOrThrow()
  expect(asked).toEqual([`${row.id}-comment`])
  expect(row.comment_state).toBe('waiting')
  await world.close()
})

test('guarantee: a first comment whose token has expired is sent soon, with a new token', async () => {
  let sends = 0
  const expired = () => Promise.reject(new PlatformError({ kind: 'auth', platformCode: null, message: 'expired' }))
  const world = await openPublisher(database, {
    x: {
      refreshToken: 'refresh',
      submit: () => (++sends === 2 ? expired() : Promise.resolve({ state: 'published', postId: String(sends), postUrl: null })),
    },
  })
  await world.create('the post', { firstComment: 'the comment' })
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
  const [job] = await settle(world.ctx, finished)
  const jobs = await sendComment(world.ctx, job?.payload as ChannelRef)
  expect(jobs.map(({ service, handler }) => `${service}/${handler}`)).toEqual(['connection/renew', 'publish/comment'])
  expect(jobs[1]?.delayMs).toBeLessThanOrEqual(10_000)
  await sendComment(world.ctx, job?.payload as ChannelRef)
  expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
  await world.close()
})
