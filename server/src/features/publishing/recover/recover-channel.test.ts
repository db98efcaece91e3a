import { PlatformError, type ExistingPost, type Found, type Sent } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { openPublisher, type TestPlatform } from '../publishing.fixture.ts'
import { quietAfterMs } from '../send/send-lease.ts'
import { submitBatch } from '../send/submit-batch.ts'
import type { Inquiry } from '../jobs.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { settle } from '../settle/settle.ts'
import { recoverChannels } from './recover-channel.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const lostAnswer = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' }))

/** One post whose send was made and whose answer was lost. */
async function loseAnswer(
  platform: 'x' | 'threads' | 'bluesky' | 'mastodon' | 'slack',
  found: () => Found,
  submit: TestPlatform['submit'] = lostAnswer,
  refreshToken?: string,
) {
  const world = await openPublisher(database, {
    [platform]: { submit, find: async () => found(), ...(refreshToken !== undefined && { refreshToken }) },
  })
  const id = await world.create('lost')
  const [batch] = await world.claim()
  if (!batch) throw new Error('nothing was claimed')
  const { jobs } = await submitBatch(world.ctx, batch)
  const inquiry = jobs[0]?.payload as Inquiry
  return { world, id, inquiry, connector: world.ctx.connectors[platform] }
}

describe('guarantee: recovery concludes nothing while a process may still be sending', () => {
  test('a guard of another process is left alone until its lease and call are over', async () => {
    const { world, id, inquiry, connector } = await loseAnswer('x', () => ({ state: 'unknown' }))
    const foreign = { ...inquiry, round: 99, callEnded: false }
    const [again] = await recoverChannels(world.ctx, foreign)
    expect(again?.delayMs).toBeGreaterThan(10_000)
    expect(await world.states(id)).toEqual(['publishing'])
    await world.age(id, quietAfterMs(connector) + 1000)
    expect(await recoverChannels(world.ctx, foreign)).toEqual([])
    expect(await world.states(id)).toEqual(['unconfirmed'])
    await world.close()
  })

  test('a post that is found counts at once', async () => {
    const { world, id, inquiry } = await loseAnswer('x', () => ({ state: 'published', postId: '7', postUrl: null }))
    await recoverChannels(world.ctx, { ...inquiry, callEnded: false })
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })
})

/** Nothing could find, answer or delete a post by such an id. */
test('guarantee: an id that arrived damaged is not stored; the platform is asked for it', async () => {
  const published = (postId: string) => ({ state: 'published', postId, postUrl: null }) as const
  const damaged = published('12\u{FFFD}34')
  const answers: Found[] = [damaged, published('1234')]
  const { world, id, inquiry } = await loseAnswer(
    'x',
    () => answers.shift() ?? { state: 'unknown' },
    async () => damaged,
  )
  const [again] = await recoverChannels(world.ctx, inquiry)
  expect(await world.states(id)).toEqual(['publishing'])
  await recoverChannels(world.ctx, again?.payload as Inquiry)
  const stored = world.ctx.db.system.selectFrom('channel').where('post_id', '=', id).select(['state', 'platform_post_id'])
  expect(await stored.execute()).toEqual([{ state: 'published', platform_post_id: '1234' }])
  await world.close()
})

/** Guarantee: a post that the platform says it published is not called unconfirmed, even if it cannot tell which of its posts it is. */
test('a post that was published as one of several is published, without an address', async () => {
  const { world, id, inquiry } = await loseAnswer('threads', () => ({ state: 'unidentified' }))
  // It is asked again first: a new post may be missing from the list for a while.
  expect(await recoverChannels(world.ctx, { ...inquiry, callEnded: true, round: 2 })).toHaveLength(1)
  expect(await world.states(id)).toEqual(['publishing'])
  expect(await recoverChannels(world.ctx, { ...inquiry, callEnded: true, round: 3 })).toEqual([])
  const { data } = await world.call('GET', `/content/${id}`)
  expect(data).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', postId: null, postUrl: null } }] })
  expect(data.channels[0].result.warnings).toEqual([expect.stringContaining('does not say which')])
  expect(world.sent).toHaveLength(1)
  await world.close()
})

describe('guarantee: nothing is sent again on a guess', () => {
  // A platform that is the same for all accounts: others are asked first what they recognise, and nobody answers here.
  test('a post missing from a list is not sent again', async () => {
    const { world, id, inquiry } = await loseAnswer('slack', () => ({ state: 'absent', proof: 'listing' }))
    await recoverChannels(world.ctx, { ...inquiry, round: 99 })
    expect(world.sent).toHaveLength(1)
    expect(await world.states(id)).toEqual(['unconfirmed'])
    await world.close()
  })

  test('what the platform itself says is not published returns to the schedule, under a new guard', async () => {
    const { world, id, inquiry, connector } = await loseAnswer('threads', () => ({ state: 'absent', proof: 'reference' }))
    // The platform's word may lag behind what it did: it counts only after a while.
    await recoverChannels(world.ctx, inquiry)
    expect(await world.states(id)).toEqual(['publishing'])
    await world.age(id, quietAfterMs(connector) + 1000)
    await recoverChannels(world.ctx, inquiry)
    expect(world.sent).toHaveLength(1)
    expect(await world.states(id)).toEqual(['pending'])
    await world.close()
  })

  test('a key that the platform recognises is repeated', async () => {
    let sends = 0
    const submit = () =>
      sends++ === 0 ? lostAnswer() : Promise.resolve({ state: 'published' as const, postId: '9', postUrl: null })
    const { world, id, inquiry } = await loseAnswer('bluesky', () => ({ state: 'unknown' }), submit)
    await recoverChannels(world.ctx, inquiry)
    expect(sends).toBe(2)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test.each([
    { server: 'that recognises keys', rules: {}, calls: 2, state: 'success' },
    { server: 'that does not recognise keys', rules: { handle: 'readback' }, calls: 1, state: 'unconfirmed' },
    { server: 'of which nothing is known and which does not answer', rules: null, calls: 1, state: 'unconfirmed' },
  ])('a server of a platform $server', async ({ rules, calls, state }) => {
    let count = 0
    const submit = async () => (++count === 1 ? lostAnswer() : { state: 'published' as const, postId: '7', postUrl: null })
    const { world, id, inquiry, connector } = await loseAnswer('mastodon', () => ({ state: 'absent', proof: 'listing' }), submit)
    const known = rules && { capabilities: JSON.stringify({ rules }), capabilities_at: new Date() }
    if (known) await world.ctx.db.system.updateTable('connection').where('platform', '=', 'mastodon').set(known).execute()
    await world.age(id, quietAfterMs(connector) + 1000)
    let jobs = await recoverChannels(world.ctx, inquiry)
    for (let round = 0; jobs.length > 0 && round < 20; round++)
      jobs = await recoverChannels(world.ctx, jobs.at(-1)?.payload as Inquiry)
    expect([count, await world.states(id)]).toEqual([calls, [state]])
    await world.close()
  })

  test('a repeat in a later rate window counts in that window', async () => {
    let sends = 0
    const submit = () =>
      sends++ === 0 ? lostAnswer() : Promise.resolve({ state: 'published' as const, postId: '9', postUrl: null })
    const { world, inquiry } = await loseAnswer('bluesky', () => ({ state: 'unknown' }), submit)
    const ofConnection = world.ctx.db.system.selectFrom('rate_window').where('key', 'like', `connection ${world.workspaceId}/%`)
    await world.ctx.db.system.deleteFrom('rate_window').execute()
    await recoverChannels(world.ctx, inquiry)
    expect(sends).toBe(2)
    const used = await ofConnection.select('used').execute()
    expect(used.length).toBeGreaterThan(0)
    for (const window of used) expect(window.used).toBe(1)
    await world.close()
  })
})

test('a platform that refuses the question is asked a few times', async () => {
  const { world, id, inquiry } = await loseAnswer('x', () => {
    throw new PlatformError({ kind: 'rejected', platformCode: null, message: 'not allowed' })
  })
  expect(await recoverChannels(world.ctx, { ...inquiry, round: 2 })).toHaveLength(1)
  expect(await recoverChannels(world.ctx, { ...inquiry, round: 3 })).toEqual([])
  expect(await world.states(id)).toEqual(['unconfirmed'])
  await world.close()
})

test('a platform that does not answer the question is asked for minutes', async () => {
  const { world, id, inquiry } = await loseAnswer('x', () => {
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'down' })
  })
  for (const round of [0, 3, 5]) {
    const [again] = await recoverChannels(world.ctx, { ...inquiry, round })
    expect(again?.payload).toMatchObject({ round: round + 1 })
  }
  expect(await recoverChannels(world.ctx, { ...inquiry, round: 6 })).toEqual([])
  expect(await world.states(id)).toEqual(['unconfirmed'])
  await world.close()
})

test('guarantee: a key is not repeated for a post that its workspace holds by now, if the platform has no such post', async () => {
  let isDown = true
  const { world, id, inquiry, connector } = await loseAnswer('bluesky', () => {
    if (isDown) throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'down' })
    return { state: 'absent', proof: 'reference' }
  })
  const { system } = world.ctx.db
  await system.updateTable('workspace').where('id', '=', world.workspaceId).set({ hold_if_late_minutes: 5 }).execute()
  const late = new Date(Date.now() - 600_000)
  await system.updateTable('channel').where('post_id', '=', id).set({ due_at: late, dispatch_at: late }).execute()
  await world.age(id, quietAfterMs(connector) + 1000)
  expect(await recoverChannels(world.ctx, inquiry)).toHaveLength(1)
  expect(world.sent).toHaveLength(1)
  isDown = false
  await recoverChannels(world.ctx, inquiry)
  expect(world.sent).toHaveLength(1)
  const [batch] = await world.claim()
  if (!batch) throw new Error('nothing was claimed')
  await submitBatch(world.ctx, batch)
  expect(world.sent).toHaveLength(1)
  expect((await world.call('GET', `/content/${id}`)).data.status).toBe('draft')
  await world.close()
})

test('guarantee: a channel whose connection is gone is not stranded', async () => {
  const { world, id, inquiry } = await loseAnswer('x', () => ({ state: 'unknown' }))
  await world.ctx.db.system.deleteFrom('connection').where('workspace_id', '=', world.workspaceId).execute()
  await recoverChannels(world.ctx, inquiry)
  expect(await world.states(id)).toEqual(['unconfirmed'])
  await world.close()
})

describe('guarantee: a token that has expired does not leave a post unconfirmed that the platform can show', () => {
  const expired = new PlatformError({ kind: 'auth', platformCode: null, message: 'expired' })
  const openExpired = (refreshToken?: string) =>
    loseAnswer(
      'x',
      () => {
        throw expired
      },
      lostAnswer,
      refreshToken,
    )

  test('the token is renewed, and the question does not count as asked', async () => {
    const { world, id, inquiry } = await openExpired('refresh')
    const jobs = await recoverChannels(world.ctx, { ...inquiry, round: 2 })
    expect(jobs.map(({ service, handler, payload }) => [service, handler, payload])).toEqual([
      ['connection', 'renew', { seenAtMs: expect.any(Number) }],
      ['publish', 'recover', { ...inquiry, round: 2 }],
    ])
    expect(await world.states(id)).toEqual(['publishing'])
    await world.close()
  })

  test('a token that cannot be renewed, or not for a long time, ends the questions', async () => {
    for (const refreshToken of [undefined, 'refresh']) {
      const { world, id, inquiry } = await openExpired(refreshToken)
      await world.age(id, 3_600_000)
      expect(await recoverChannels(world.ctx, { ...inquiry, round: 99 })).toEqual([])
      expect(await world.states(id)).toEqual(['unconfirmed'])
      await world.close()
    }
  })
})

describe('a refusal as a duplicate', () => {
  const refusedAs = (existing?: ExistingPost) => () =>
    Promise.reject(
      new PlatformError({ kind: 'rejected', platformCode: 'dup', message: 'Posted recently.', isDuplicate: true, existing }),
    )
  const limited = () =>
    Promise.reject(new PlatformError({ kind: 'limited', platformCode: null, message: 'slow', retryAfterMs: 0 }))
  const found = (postId: string): Found => ({ state: 'published', postId, postUrl: null })
  const named = { postId: 'urn:7', postUrl: 'https://example.com/7' }

  type Case = {
    answers: (() => Promise<never>)[]
    find: (sent: Sent<unknown>) => Found
    accountId?: string
  }

  /** Sends one post until the platform refuses it as a duplicate, and then finds out about it. */
  async function refuse({ answers, find, accountId }: Case) {
    const world = await openPublisher(database, {
      x: {
        submit: () => (answers.shift() ?? lostAnswer)(),
        find: async (sent) => find(sent),
        ...(accountId !== undefined && { accountId }),
      },
    })
    const id = await world.create('bells')
    let open: Inquiry[] = []
    for (let n = 0; n < 5 && open.length === 0; n++) {
      const [batch] = await world.claim()
      if (!batch) throw new Error('nothing was claimed')
      const { finished, jobs } = await submitBatch(world.ctx, batch)
      await settle(world.ctx, finished)
      open = jobs.map(({ payload }) => payload as Inquiry)
      const now = new Date(Date.now() - 1)
      await world.ctx.db.system
        .updateTable('channel')
        .where('post_id', '=', id)
        .where('state', '=', 'scheduled')
        .set({ dispatch_at: now, not_before: null })
        .execute()
    }
    for (let n = 0; open.length > 0; n++) {
      if (n === 20) throw new Error('the platform is asked without end')
      const jobs = await Promise.all(open.map((inquiry) => recoverChannels(world.ctx, inquiry)))
      open = jobs.flat().map(({ payload }) => payload as Inquiry)
    }
    const { data } = await world.call('GET', `/content/${id}`)
    return { world, result: data.channels[0].result }
  }

  test('of a post that an earlier attempt made after all is found: it is published', async () => {
    const windows: number[] = []
    const startedMs = Date.now()
    const { world, result } = await refuse({
      answers: [limited, refusedAs()],
      find({ window }) {
        windows.push(window.fromMs)
        return found('7')
      },
    })
    expect(result).toMatchObject({ status: 'success', postId: '7' })
    // It may have been made by the first attempt.
    expect(windows[0]).toBeLessThan(startedMs)
    expect(world.sent).toHaveLength(2)
    await world.close()
  })

  test('that names the post of an earlier attempt: it is published, although its posts cannot be read', async () => {
    const { world, result } = await refuse({ answers: [limited, refusedAs(named)], find: () => ({ state: 'unknown' }) })
    expect(result).toMatchObject({ status: 'success', postId: named.postId, postUrl: named.postUrl })
    await world.close()
  })

  test('that is not found: it was certainly not published by this channel', async () => {
    const { world, result } = await refuse({
      answers: [limited, refusedAs()],
      find: () => ({ state: 'absent', proof: 'listing' }),
    })
    expect(result).toMatchObject({ status: 'failed', error: { code: 'content_rejected', message: 'Posted recently.' } })
    await world.close()
  })

  test('that was sent before and cannot be asked about stays in doubt', async () => {
    const { world, result } = await refuse({ answers: [limited, refusedAs()], find: () => ({ state: 'unknown' }) })
    expect(result).toMatchObject({ status: 'unconfirmed' })
    await world.close()
  })

  /** Guarantee: a copy that a person made by hand before the due time is not our success. */
  test('of the first attempt is looked for from the due time on, and the post that it names is not taken', async () => {
    const startedMs = Date.now()
    const { world, result } = await refuse({
      answers: [refusedAs(named)],
      find: ({ window }) => (window.fromMs < startedMs ? found('by hand') : { state: 'unknown' }),
    })
    expect(result).toMatchObject({ status: 'failed', postId: null, error: { code: 'content_rejected' } })
    await world.close()
  })

  test('that names the post of another channel is a failure', async () => {
    const accountId = newUuid()
    const other = await openPublisher(database, { x: { accountId, submit: async () => ({ state: 'published', ...named }) } })
    await other.create('bells')
    const [batch] = await other.claim()
    if (!batch) throw new Error('nothing was claimed')
    await settle(other.ctx, (await submitBatch(other.ctx, batch)).finished)
    const { world, result } = await refuse({
      answers: [limited, refusedAs(named)],
      find: () => ({ state: 'unknown' }),
      accountId,
    })
    expect(result).toMatchObject({ status: 'failed', postId: null, error: { code: 'content_rejected' } })
    await Promise.all([world.close(), other.close()])
  })
})
