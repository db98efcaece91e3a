import { PlatformError, type Found, type Outcome } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { watchServer } from '../connections/calls/server-health.ts'
import { lostAnswerWarning, unknownPostWarning } from '../posts/part.store.ts'
import type { Inquiry } from './jobs.ts'
import { openPublisher, type TestPlatform } from './publishing.fixture.ts'
import { recoverChannels } from './recover/recover-channel.ts'
import { submitBatch, type Submitted } from './send/submit-batch.ts'
import { settle } from './settle/settle.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const minuteMs = 60_000
const thePost = { state: 'published', postId: 'the-post', postUrl: null } as const
const theComment = { state: 'published', postId: 'the-comment', postUrl: null } as const
const refused = (failure: ConstructorParameters<typeof PlatformError>[0]) => async (): Promise<never> => {
  throw new PlatformError(failure)
}
const lost = refused({ kind: 'unknown', platformCode: '503', message: 'Service Unavailable' })

/** A platform whose first call makes the post; `comment` is what it does with each call for the comment. */
function platformWith(comment: (call: number) => Promise<Outcome>, find?: () => Promise<Found>): TestPlatform {
  let calls = -1
  return { submit: () => (++calls === 0 ? Promise.resolve(thePost) : comment(calls)), ...(find && { find }) }
}

/** A published post whose first comment is due. */
async function publishWithComment(platform: TestPlatform = {}, name: 'x' | 'mastodon' | 'bluesky' = 'x') {
  const world = await openPublisher(database, { [name]: { submit: async () => thePost, ...platform } })
  const id = await world.create('the post', { firstComment: 'the comment' })
  const { system } = world.ctx.db
  /** Sends and settles everything that is due, as a worker does. */
  const sendDue = async (): Promise<Submitted[]> => {
    const submitted: Submitted[] = []
    for (const batch of await world.claim()) {
      const result = await submitBatch(world.ctx, batch)
      await settle(world.ctx, result.finished)
      submitted.push(result)
    }
    return submitted
  }
  await sendDue()
  const partOf = () =>
    system.selectFrom('part').where('post_id', '=', id).where('number', '=', 1).selectAll().executeTakeFirstOrThrow()
  const resultOf = async () => {
    const { channels } = (await world.call('GET', `/content/${id}`)).data
    expect(channels).toHaveLength(1)
    return channels[0].result
  }
  const eventsOf = () => system.selectFrom('outbox_event').where('workspace_id', '=', world.workspaceId).selectAll().execute()
  /** Finds out what became of a comment without an answer, when every new post is in every list. */
  const recover = async (inquiry: Inquiry, rounds = 6) => {
    await world.age(id, 2 * minuteMs)
    let jobs = await recoverChannels(world.ctx, inquiry)
    for (let round = 0; jobs.length > 0 && round < rounds; round++)
      jobs = await recoverChannels(world.ctx, jobs.at(-1)?.payload as Inquiry)
    return jobs
  }
  return { world, id, sendDue, partOf, resultOf, eventsOf, recover }
}

/** A post on X whose first comment got no answer, and what X says of the comment afterwards. */
async function loseComment(find: () => Promise<Found>) {
  const opened = await publishWithComment(platformWith((call) => (call === 1 ? lost() : Promise.resolve(theComment)), find))
  const [submitted] = await opened.sendDue()
  const inquiry = submitted?.jobs[0]?.payload as Inquiry
  expect((await opened.resultOf()).comment).toBe('waiting')
  return { ...opened, inquiry }
}

describe('guarantee: the first comment is posted once, after its post', () => {
  test('it is due as soon as the post is published, and answers it', async () => {
    const drafts: unknown[] = []
    const { world, sendDue, resultOf } = await publishWithComment({
      submit: async (draft) => {
        drafts.push({ text: draft.text, replyTo: draft.replyTo })
        return draft.replyTo ? theComment : thePost
      },
    })
    expect(await resultOf()).toMatchObject({ status: 'success', comment: 'waiting', warnings: [] })
    await sendDue()
    await sendDue()
    expect(drafts).toEqual([
      { text: 'the post', replyTo: null },
      { text: 'the comment', replyTo: { postId: 'the-post' } },
    ])
    expect(await resultOf()).toMatchObject({
      status: 'success',
      postId: 'the-post',
      comment: 'posted',
      warnings: [],
      attempts: 1,
    })
    await world.close()
  })

  test('a result that is stored twice makes one comment', async () => {
    const world = await openPublisher(database, { x: { submit: async () => thePost } })
    await world.create('the post', { firstComment: 'the comment' })
    const [batch] = await world.claim()
    const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
    await Promise.all([settle(world.ctx, finished), settle(world.ctx, finished)])
    await settle(world.ctx, finished)
    const parts = world.ctx.db.system.selectFrom('part').where('workspace_id', '=', world.workspaceId)
    expect(await parts.select('number').orderBy('number').execute()).toEqual([{ number: 0 }, { number: 1 }])
    await world.close()
  })

  test('a post that is not published has none, and one that is published at the second try has', async () => {
    let isDown = true
    const down = refused({ kind: 'rejected', platformCode: null, message: 'no' })
    const { world, id, sendDue, resultOf } = await publishWithComment({
      submit: ({ replyTo }) => (isDown ? down() : Promise.resolve(replyTo ? theComment : thePost)),
    })
    await sendDue()
    expect(await resultOf()).toMatchObject({ status: 'failed', comment: 'waiting' })
    expect(world.sent).toEqual(['the post'])
    isDown = false
    await world.call('POST', `/content/${id}/retry`)
    await sendDue()
    await sendDue()
    expect(world.sent).toEqual(['the post', 'the post', 'the comment'])
    expect(await resultOf()).toMatchObject({ status: 'success', comment: 'posted' })
    await world.close()
  })

  test('nothing can answer a post whose id the platform does not tell', async () => {
    const { world, sendDue, resultOf } = await publishWithComment({
      submit: async () => ({ ...thePost, postId: 'x'.repeat(3000) }),
    })
    await sendDue()
    expect(world.sent).toEqual(['the post'])
    expect(await resultOf()).toMatchObject({ comment: 'failed', warnings: expect.arrayContaining([unknownPostWarning]) })
    await world.close()
  })
})

test('guarantee: a post is never taken for its own first comment', async () => {
  const asked: { key: string; known: string[] }[] = []
  const { world, sendDue, partOf, recover } = await publishWithComment(
    {
      submit: ({ replyTo }) => (replyTo ? lost() : Promise.resolve(thePost)),
      find: async ({ handle, knownPostIds }) => {
        asked.push({ key: handle.key, known: [...knownPostIds] })
        return { state: 'absent', proof: 'listing' }
      },
    },
    'x',
  )
  const [submitted] = await sendDue()
  await recover(submitted?.jobs[0]?.payload as Inquiry, 0)
  expect(asked).toEqual([{ key: (await partOf()).id, known: ['the-post'] }])
  await world.close()
})

describe('a first comment whose answer was lost, on a platform that does not recognise a repeat', () => {
  test('counts as posted if it is there', async () => {
    const { world, inquiry, recover, resultOf } = await loseComment(async () => theComment)
    expect(await recover(inquiry)).toEqual([])
    expect(await resultOf()).toMatchObject({ comment: 'posted', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })

  test('is not sent again by itself if it is not listed; a person can retry it, and open pages are told', async () => {
    const { world, id, inquiry, recover, sendDue, resultOf } = await loseComment(async () => ({
      state: 'absent',
      proof: 'listing',
    }))
    const { system } = world.ctx.db
    await system.deleteFrom('outbox_event').where('workspace_id', '=', world.workspaceId).execute()
    expect(await recover(inquiry)).toEqual([])
    expect(await resultOf()).toMatchObject({
      comment: 'failed',
      warnings: [expect.stringContaining('was not found on the platform')],
    })
    const events = await system.selectFrom('outbox_event').where('workspace_id', '=', world.workspaceId).selectAll().execute()
    expect(events).toMatchObject([{ event: 'post.changed', subject_id: id }])
    expect(world.sent).toEqual(['the post', 'the comment'])

    expect((await world.call('POST', `/content/${id}/retry`)).error).toBeUndefined()
    expect(await resultOf()).toMatchObject({ comment: 'waiting', warnings: [] })
    await sendDue()
    expect(await resultOf()).toMatchObject({ comment: 'posted', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
    await world.close()
  })

  test('is sent again if the platform says by its reference that it was not posted', async () => {
    const { world, inquiry, recover, sendDue, resultOf } = await loseComment(async () => ({
      state: 'absent',
      proof: 'reference',
    }))
    await recover(inquiry)
    await sendDue()
    expect(await resultOf()).toMatchObject({ comment: 'posted', warnings: [] })
    expect(world.sent).toEqual(['the post', 'the comment', 'the comment'])
    await world.close()
  })

  test('is not sent again while nobody can tell, not by a person either; the warning says so', async () => {
    const { world, id, inquiry, recover, resultOf } = await loseComment(async () => ({ state: 'unknown' }))
    expect(await recover(inquiry)).toEqual([])
    expect(await resultOf()).toMatchObject({ status: 'success', comment: 'failed', warnings: [lostAnswerWarning] })
    expect(await world.call('POST', `/content/${id}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    expect(world.sent).toEqual(['the post', 'the comment'])
    await world.close()
  })
})

describe('guarantee: a first comment is repeated only while the platform recognises its key, and not without end', () => {
  const hourMs = 60 * minuteMs
  const forgetsAfterAnHour = { handle: 'key', handleLastsMs: hourMs } as const

  /** A comment whose answers are all lost, and that no list shows. */
  async function loseAlways() {
    const windows: { fromMs: number; untilMs: number }[] = []
    const find: NonNullable<TestPlatform['find']> = async ({ window }) => (windows.push(window), { state: 'unknown' })
    const platform = { ...platformWith(lost), find, manifest: forgetsAfterAnHour }
    const opened = await publishWithComment(platform, 'bluesky')
    const [submitted] = await opened.sendDue()
    const inquiry = submitted?.jobs[0]?.payload as Inquiry
    return { ...opened, inquiry, windows }
  }

  test.each([
    { minutes: 10, calls: ['the post', 'the comment', 'the comment'] },
    { minutes: 65, calls: ['the post', 'the comment'] },
  ])('after $minutes minutes', async ({ minutes, calls }) => {
    const { world, id, inquiry, windows } = await loseAlways()
    const sentAtMs = Date.now() - minutes * minuteMs
    await world.age(id, minutes * minuteMs)
    await recoverChannels(world.ctx, inquiry)
    expect(world.sent).toEqual(calls)
    // It is looked for among the posts of the time when it was sent, not of the last hour.
    expect(windows).toHaveLength(1)
    expect(windows[0]?.fromMs).toBeLessThan(sentAtMs)
    expect(windows[0]?.untilMs).toBeLessThan(sentAtMs + 5 * minuteMs)
    await world.close()
  })

  test('a platform that never answers is called a few times, with growing waits', async () => {
    const { world, inquiry, resultOf } = await loseAlways()
    const waits: number[] = []
    for (let open = [inquiry]; open.length > 0 && waits.length < 20;) {
      const jobs = (await Promise.all(open.map((each) => recoverChannels(world.ctx, each)))).flat()
      waits.push(...jobs.map(({ delayMs = 0 }) => delayMs))
      open = jobs.map(({ payload }) => payload as Inquiry)
    }
    expect(waits).toEqual([3_000, 10_000, 30_000, 60_000, 120_000, 300_000])
    expect(world.sent.filter((text) => text === 'the comment')).toHaveLength(8)
    expect(await resultOf()).toMatchObject({ status: 'success', comment: 'failed', warnings: [lostAnswerWarning] })
    await world.close()
  })

  test('a platform that is down is tried with growing waits', async () => {
    const down = refused({ kind: 'unavailable', platformCode: '503', message: 'Service Unavailable' })
    const { world, sendDue, partOf } = await publishWithComment(platformWith(down))
    const waits: number[] = []
    for (let n = 0; n < 3; n++) {
      await sendDue()
      const { id, dispatch_at: at } = await partOf()
      waits.push((at?.getTime() ?? 0) - Date.now())
      await world.ctx.db.system.updateTable('part').where('id', '=', id).set({ dispatch_at: new Date() }).execute()
    }
    // 5, 20 and 60 seconds, each up to a quarter shorter or longer.
    expect(waits[1]).toBeGreaterThan(12_000)
    expect(waits[2]).toBeGreaterThan(40_000)
    await world.close()
  })
})

test('guarantee: the platform’s id of a comment belongs to it alone', async () => {
  const { world, sendDue, resultOf } = await publishWithComment(
    platformWith(
      async () => thePost,
      async () => ({ state: 'unknown' }),
    ),
  )
  await sendDue()
  // The platform answered with the post itself, so it is not known what became of the comment.
  expect(await resultOf()).not.toMatchObject({ comment: 'posted' })
  await world.close()
})

describe('guarantee: first comments keep to the rules of channels', () => {
  test('a refusal ends the comment, not its post, and gives its place in a rate limit back', async () => {
    const rate = { perConnection: [{ count: 2, windowMs: 60 * minuteMs }], perApp: [] }
    const platform = platformWith(refused({ kind: 'rejected', platformCode: null, message: 'no links here' }))
    const { world, id, sendDue, resultOf, eventsOf } = await publishWithComment({ ...platform, manifest: { rate } })
    const before = (await eventsOf()).length
    await sendDue()
    expect((await eventsOf()).slice(before)).toMatchObject([{ event: 'post.changed', subject_id: id }])
    expect(await resultOf()).toMatchObject({
      status: 'success',
      comment: 'failed',
      error: null,
      warnings: ['The first comment was not posted: no links here'],
    })
    expect((await world.call('GET', `/content/${id}`)).data.status).toBe('completed')
    const used = world.ctx.db.system.selectFrom('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    expect(await used.select('used').execute()).toEqual([{ used: 1 }])
    await world.close()
  })

  test('a rate limit that is used up is not exceeded, and comments count in it', async () => {
    const rate = { perConnection: [{ count: 1, windowMs: minuteMs }], perApp: [] }
    const { world, sendDue, partOf, resultOf } = await publishWithComment({
      ...platformWith(async () => theComment),
      manifest: { rate },
    })
    await sendDue()
    expect(await partOf()).toMatchObject({ state: 'scheduled', waiting_reason: 'rate_limit', tries: 0 })
    expect(world.sent).toEqual(['the post'])
    const windows = world.ctx.db.system.updateTable('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    await windows.set({ started_at: new Date(Date.now() - 2 * minuteMs) }).execute()
    await world.ctx.db.system
      .updateTable('part')
      .where('workspace_id', '=', world.workspaceId)
      .where('number', '=', 1)
      .set({ dispatch_at: new Date() })
      .execute()
    await sendDue()
    expect((await resultOf()).comment).toBe('posted')
    const used = world.ctx.db.system.selectFrom('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    expect(await used.select('used').execute()).toEqual([{ used: 1 }])
    await world.close()
  })

  test('a server that is down is not called', async () => {
    const { world, sendDue, partOf } = await publishWithComment({}, 'bluesky')
    const isDown = watchServer(world.ctx, { platform: 'bluesky', instanceUrl: null }, async () => ({
      status: 503,
      headers: {},
      text: async () => '',
    }))
    for (let n = 0; n < 30; n++) await isDown({ method: 'GET', url: '', headers: {}, body: null, timeoutMs: 1000 })
    await sendDue()
    expect(world.sent).toEqual(['the post'])
    expect(await partOf()).toMatchObject({ state: 'scheduled', tries: 0, waiting_reason: 'platform_unavailable' })
    await world.close()
  })

  test('an expired token is renewed before the next try', async () => {
    const expired = refused({ kind: 'auth', platformCode: null, message: 'expired' })
    const platform = platformWith((call) => (call === 1 ? expired() : Promise.resolve(theComment)))
    const { world, sendDue, partOf } = await publishWithComment({ ...platform, refreshToken: 'refresh' })
    await sendDue()
    expect(await partOf()).toMatchObject({ state: 'scheduled', renew_token: true })
    await world.close()
  })

  test('what is made before a send is made for a comment too', async () => {
    const { world, partOf } = await publishWithComment({ stage: async () => ({ id: 'staged' }) })
    expect(await partOf()).toMatchObject({ needs_stage: true, staged: null })
    await world.close()
  })

  test('a platform that takes comments after a while only is not asked before', async () => {
    const { world, sendDue, partOf } = await publishWithComment({ commentAfterMs: 5_000 })
    const { due_at: dueAt, wake_at: wakeAt } = await partOf()
    expect(dueAt?.getTime()).toBeGreaterThan(Date.now() + 1_000)
    expect(wakeAt).toEqual(dueAt)
    await sendDue()
    expect(world.sent).toEqual(['the post'])
    await world.close()
  })

  test('a removed connection ends the comment with a warning', async () => {
    const { world, sendDue, resultOf } = await publishWithComment()
    await world.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', world.workspaceId)
      .set({ status: 'disconnected' })
      .execute()
    await sendDue()
    expect(world.sent).toEqual(['the post'])
    expect(await resultOf()).toMatchObject({
      comment: 'failed',
      warnings: [expect.stringContaining('the connection was removed')],
    })
    await world.close()
  })
})
