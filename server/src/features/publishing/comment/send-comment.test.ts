import { PlatformError, type Found } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { openPublisher, type TestPlatform } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { sendComment } from './send-comment.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** A published post whose first comment is to be sent. */
async function publishWithComment(platform: TestPlatform = {}) {
  const world = await openPublisher(database, { x: platform })
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

/** A post on X whose first comment is answered with 503, and what X says of the comment afterwards. */
async function publishWithLostComment(find: () => Promise<Found>) {
  let sends = 0
  const lost = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: '503', message: 'Service Unavailable' }))
  const submit = () =>
    ++sends === 2 ? lost() : Promise.resolve({ state: 'published' as const, postId: String(sends), postUrl: null })
  const opened = await publishWithComment({ submit, find })
  const again = await sendComment(opened.world.ctx, opened.ref)
  expect(again.map(({ handler }) => handler)).toEqual(['comment'])
  expect(again[0]?.delayMs).toBeGreaterThan(30_000)
  expect(await opened.rowOf()).toMatchObject({ comment_state: 'submitting', warnings: [] })
  /** Moves the moment at which the guard was set into the past, and starts the job again. */
  const runAfter = async (ms: number) => {
    const { system } = opened.world.ctx.db
    const guardedAt = new Date(Date.now() - ms)
    await system.updateTable('channel').where('id', '=', opened.ref.channelId).set({ comment_submitted_at: guardedAt }).execute()
    return sendComment(opened.world.ctx, opened.ref)
  }
  return { ...opened, runAfter }
}

describe('a first comment whose answer was lost, on a platform that does not recognise a repeat', () => {
  test('is asked about again when new posts are in every list, and counts as posted if it is there', async () => {
    let isListed = false
    const { world, runAfter, rowOf } = await publishWithLostComment(async () =>
      isListed ? { state: 'published', postId: 'the-comment', postUrl: null } : { state: 'absent', proof: 'listing' },
    )
    isListed = true
    expect(await runAfter(120_000)).toEqual([])
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })

  test('is not sent again by itself if it is not listed; a person can retry it, and open pages are told', async () => {
    const { world, ref, runAfter, rowOf } = await publishWithLostComment(async () => ({ state: 'absent', proof: 'listing' }))
    const { system } = world.ctx.db
    await system.deleteFrom('outbox_event').where('workspace_id', '=', world.workspaceId).execute()
    expect(await runAfter(120_000)).toEqual([])
    const { post_id: postId, ...row } = await rowOf()
    expect(row).toMatchObject({ comment_state: 'failed', warnings: [expect.stringContaining('was not found on the platform')] })
    const events = await system.selectFrom('outbox_event').where('workspace_id', '=', world.workspaceId).selectAll().execute()
    expect(events).toMatchObject([{ event: 'post.changed', subject_id: postId }])
    expect(world.sent).toEqual(['the post', 'the comment'])

    const { error } = await world.call('POST', `/content/${postId}/retry`)
    expect(error).toBeUndefined()
    await sendComment(world.ctx, ref)
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
    await world.close()
  })

  test('is sent again if the platform says by its reference that it was not posted', async () => {
    const { world, ref, runAfter, rowOf } = await publishWithLostComment(async () => ({ state: 'absent', proof: 'reference' }))
    expect(await runAfter(120_000)).toMatchObject([{ handler: 'comment' }])
    await sendComment(world.ctx, ref)
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
    await world.close()
  })

  test('is not sent again while nobody can tell; the warning says so when the platform has not answered for ten minutes', async () => {
    const down = new PlatformError({ kind: 'unavailable', platformCode: '503', message: 'Service Unavailable' })
    const { world, runAfter, rowOf } = await publishWithLostComment(() => Promise.reject(down))
    expect(await runAfter(120_000)).toEqual([])
    expect(await rowOf()).toMatchObject({ comment_state: 'submitting', warnings: [] })
    await runAfter(700_000)
    const { post_id: postId, ...row } = await rowOf()
    expect(row).toMatchObject({ comment_state: 'failed', warnings: [expect.stringContaining('may not have been posted')] })
    expect(await world.call('POST', `/content/${postId}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })
})
