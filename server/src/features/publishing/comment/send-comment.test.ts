import { PlatformError, type Found, type Outcome, type Sent } from '@carillon/connectors'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { Job } from '../../../infra/engine/engine.ts'
import { watchServer } from '../../connections/calls/server-health.ts'
import { lostAnswerWarning } from '../../posts/comment-warnings.ts'
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
async function publishWithComment(platform: TestPlatform = {}, name: 'x' | 'mastodon' | 'bluesky' = 'x') {
  const world = await openPublisher(database, { [name]: platform })
  const id = await world.create('the post', { firstComment: 'the comment' })
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: name, refs: [], dueAtMs: 0 })
  const jobs = await settle(world.ctx, finished)
  expect(jobs.map(({ handler }) => handler)).toEqual(['comment'])
  const rowOf = () => world.ctx.db.system.selectFrom('channel').where('post_id', '=', id).selectAll().executeTakeFirstOrThrow()
  const ref = jobs[0]?.payload as ChannelRef
  /** Moves everything that the database knows about the comment into the past, and starts the job. */
  const runAfter = async (ms: number): Promise<Job[]> => {
    await sql`
      update channel
      set comment_at = comment_at - make_interval(secs => ${ms / 1000}),
        comment_submitted_at = comment_submitted_at - make_interval(secs => ${ms / 1000})
      where id = ${ref.channelId}`.execute(world.ctx.db.system)
    return sendComment(world.ctx, ref)
  }
  return { world, ref, rowOf, runAfter }
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
  expect(row.comment_state).toBe('submitting')
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
  return opened
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
    const { world, runAfter, rowOf } = await publishWithLostComment(async () => ({ state: 'absent', proof: 'reference' }))
    const [again] = await runAfter(120_000)
    expect(again).toMatchObject({ handler: 'comment' })
    await runAfter(again?.delayMs ?? 0)
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
    await world.close()
  })

  test('is not sent again while nobody can tell; the warning says so when the platform has not answered for ten minutes', async () => {
    const down = new PlatformError({ kind: 'unavailable', platformCode: '503', message: 'Service Unavailable' })
    const { world, runAfter, rowOf } = await publishWithLostComment(() => Promise.reject(down))
    expect(await runAfter(120_000)).toMatchObject([{ handler: 'comment' }])
    expect(await rowOf()).toMatchObject({ comment_state: 'submitting', warnings: [] })
    await runAfter(700_000)
    const { post_id: postId, ...row } = await rowOf()
    expect(row).toMatchObject({ comment_state: 'failed', warnings: [expect.stringContaining('may not have been posted')] })
    expect(await world.call('POST', `/content/${postId}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })
})

const minuteMs = 60_000
const serverError = () => new PlatformError({ kind: 'unknown', platformCode: '500', message: 'Internal Server Error' })

/** A platform whose first call makes the post; `comment` is what it does with each call for the comment. */
function platformWith(comment: (call: number) => Promise<Outcome>, find: TestPlatform['find']): TestPlatform {
  let calls = -1
  const submit = () =>
    ++calls === 0 ? Promise.resolve({ state: 'published' as const, postId: 'the-post', postUrl: null }) : comment(calls)
  return { submit, ...(find && { find }) }
}

const taken = { state: 'published', postId: 'the-comment', postUrl: null } as const
const sentOf = (sent: readonly string[]) => sent.filter((text) => text === 'the comment').length

describe('guarantee: a comment without an answer is repeated only while the platform knows its key', () => {
  const loseFirst = (call: number) => (call === 1 ? Promise.reject(serverError()) : Promise.resolve(taken))

  test('within that time it is repeated, by one of two runs', async () => {
    const platform = platformWith(loseFirst, async () => ({ state: 'unknown' }))
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, 'mastodon')
    await sendComment(world.ctx, ref)
    await Promise.all([runAfter(2 * minuteMs), sendComment(world.ctx, ref)])
    expect(sentOf(world.sent)).toBe(2)
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    await world.close()
  })

  test('after it the warning says that nobody can tell, and a person cannot send it a second time either', async () => {
    const platform = platformWith(loseFirst, async () => ({ state: 'unknown' }))
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, 'mastodon')
    await sendComment(world.ctx, ref)
    expect(await runAfter(65 * minuteMs)).toEqual([])
    const { post_id: postId, ...row } = await rowOf()
    expect(row).toMatchObject({ comment_state: 'failed', warnings: [lostAnswerWarning] })
    expect(await world.call('POST', `/content/${postId}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    expect(sentOf(world.sent)).toBe(1)
    await world.close()
  })

  test('the time of the first call counts, not that of a repeat', async () => {
    const platform = platformWith(
      () => Promise.reject(serverError()),
      async () => ({ state: 'unknown' }),
    )
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, 'mastodon')
    await sendComment(world.ctx, ref)
    await runAfter(40 * minuteMs)
    expect(sentOf(world.sent)).toBe(2)
    await runAfter(40 * minuteMs)
    expect(sentOf(world.sent)).toBe(2)
    expect(await rowOf()).toMatchObject({ comment_state: 'failed', warnings: [lostAnswerWarning] })
    await world.close()
  })

  test('the platform is asked for the time of the call, however long ago that is', async () => {
    const windows: Sent['window'][] = []
    const sentAtMs = Date.now() - 65 * minuteMs
    const platform = platformWith(loseFirst, async ({ window }) => {
      windows.push(window)
      // The comment of 65 minutes ago, as a list shows it.
      return window.fromMs <= sentAtMs && sentAtMs <= window.untilMs ? taken : { state: 'absent', proof: 'listing' }
    })
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, 'mastodon')
    await sendComment(world.ctx, ref)
    await runAfter(65 * minuteMs)
    expect(await rowOf()).toMatchObject({ comment_state: 'done', warnings: [] })
    expect(windows.at(-1)?.fromMs).toBeGreaterThan(sentAtMs - 3 * minuteMs)
    expect(sentOf(world.sent)).toBe(1)
    await world.close()
  })
})

describe('guarantee: a first comment calls its server a few times, never without end', () => {
  const cases = [
    ['mastodon', 'no answer', serverError, () => Promise.reject(serverError()), 'may not have been posted'],
    ['bluesky', 'no answer', serverError, async () => ({ state: 'unknown' as const }), 'may not have been posted'],
    ['bluesky', 'denied', serverError, async () => ({ state: 'absent' as const, proof: 'reference' as const }), 'was not found'],
    ['x', 'denied', serverError, async () => ({ state: 'absent' as const, proof: 'reference' as const }), 'was not found'],
    [
      'mastodon',
      'refused',
      () => new PlatformError({ kind: 'unavailable', platformCode: '503', message: 'Down' }),
      async () => ({ state: 'unknown' as const }),
      'was not posted: Down',
    ],
  ] as const
  test.for(cases)('%s, %s', async ([name, , error, find, warning]) => {
    let questions = 0
    const platform = platformWith(
      () => Promise.reject(error()),
      () => {
        questions++
        return find()
      },
    )
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, name)
    let jobs = await sendComment(world.ctx, ref)
    let passedMs = 0
    for (let run = 0; jobs.length > 0 && run < 40; run++) {
      const waitMs = (jobs.at(-1)?.delayMs ?? 0) + 1_000
      passedMs += waitMs
      jobs = await runAfter(waitMs)
    }
    expect(jobs).toEqual([])
    expect(sentOf(world.sent)).toBeLessThanOrEqual(10)
    expect(sentOf(world.sent)).toBeGreaterThan(3)
    expect(questions).toBeLessThanOrEqual(30)
    expect(passedMs).toBeGreaterThan(20 * minuteMs)
    expect(await rowOf()).toMatchObject({ comment_state: 'failed', warnings: [expect.stringContaining(warning)] })
    await world.close()
  })

  test('a comment that was tried more often than the column can count ends with a warning', async () => {
    const { world, ref, rowOf } = await publishWithComment()
    await world.ctx.db.system.updateTable('channel').where('id', '=', ref.channelId).set({ comment_tries: 32_767 }).execute()
    expect(await sendComment(world.ctx, ref)).toEqual([])
    expect(await rowOf()).toMatchObject({ comment_state: 'failed', warnings: [lostAnswerWarning] })
    expect(sentOf(world.sent)).toBe(0)
    await world.close()
  })
})

describe('guarantee: first comments keep to the limits of their platform', () => {
  test('a server that is down is not called; the comment waits as if it had not been tried', async () => {
    const { world, ref, rowOf } = await publishWithComment({}, 'bluesky')
    const isDown = watchServer(world.ctx, { platform: 'bluesky', instanceUrl: null }, async () => ({
      status: 503,
      headers: {},
      text: async () => '',
    }))
    for (let n = 0; n < 30; n++) await isDown({ method: 'GET', url: '', headers: {}, body: null, timeoutMs: 1000 })
    const [again] = await sendComment(world.ctx, ref)
    expect(again?.delayMs).toBeGreaterThan(4_000)
    expect(sentOf(world.sent)).toBe(0)
    expect(await rowOf()).toMatchObject({ comment_state: 'waiting', comment_tries: 0 })
    await world.close()
  })

  test('neither is it asked about a comment without an answer, for an hour', async () => {
    let questions = 0
    const platform = platformWith(
      () => Promise.reject(serverError()),
      async () => {
        questions++
        return { state: 'unknown' }
      },
    )
    const { world, ref, runAfter, rowOf } = await publishWithComment(platform, 'bluesky')
    await sendComment(world.ctx, ref)
    const isDown = watchServer(world.ctx, { platform: 'bluesky', instanceUrl: null }, async () => ({
      status: 503,
      headers: {},
      text: async () => '',
    }))
    for (let n = 0; n < 30; n++) await isDown({ method: 'GET', url: '', headers: {}, body: null, timeoutMs: 1000 })
    questions = 0
    const [again] = await runAfter(2 * minuteMs)
    expect(again?.delayMs).toBeGreaterThan(4_000)
    expect([questions, sentOf(world.sent)]).toEqual([0, 1])
    expect(await rowOf()).toMatchObject({ comment_state: 'submitting', comment_tries: 1 })
    await world.close()
  })

  test('a rate limit that is used up is not exceeded by comments, and they count in it', async () => {
    const rate = { perConnection: [{ count: 1, windowMs: minuteMs }], perApp: [] }
    const { world, ref, runAfter, rowOf } = await publishWithComment({ manifest: { rate } })
    const [again] = await sendComment(world.ctx, ref)
    expect(again?.delayMs).toBeGreaterThan(1_000)
    expect(again?.delayMs).toBeLessThanOrEqual(minuteMs)
    expect(sentOf(world.sent)).toBe(0)
    expect(await rowOf()).toMatchObject({ comment_state: 'waiting', comment_tries: 0 })
    const windows = world.ctx.db.system.updateTable('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    await windows.set({ started_at: new Date(Date.now() - 2 * minuteMs) }).execute()
    await runAfter(again?.delayMs ?? 0)
    expect(await rowOf()).toMatchObject({ comment_state: 'done' })
    const used = world.ctx.db.system.selectFrom('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    expect(await used.select('used').execute()).toEqual([{ used: 1 }])
    await world.close()
  })

  test('a comment that was certainly not posted gives its place in a rate limit back', async () => {
    const rate = { perConnection: [{ count: 2, windowMs: 60 * minuteMs }], perApp: [] }
    const refusal = new PlatformError({ kind: 'rejected', platformCode: null, message: 'no links here' })
    const platform = platformWith(
      () => Promise.reject(refusal),
      async () => ({ state: 'unknown' }),
    )
    const { world, ref, rowOf } = await publishWithComment({ ...platform, manifest: { rate } })
    await sendComment(world.ctx, ref)
    expect(await rowOf()).toMatchObject({ comment_state: 'failed' })
    const used = world.ctx.db.system.selectFrom('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    expect(await used.select('used').execute()).toEqual([{ used: 1 }])
    await world.close()
  })
})
