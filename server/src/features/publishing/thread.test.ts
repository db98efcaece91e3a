import { PlatformError, type Draft, type Found, type Outcome } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { unknownPostWarning } from '../posts/part.store.ts'
import { wakeWaitingChannels } from '../posts/post.store.ts'
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
const published = (postId: string): Outcome => ({
  state: 'published',
  postId,
  postUrl: `https://social.example/${postId}`,
})
const refused = (failure: ConstructorParameters<typeof PlatformError>[0]) => async (): Promise<never> => {
  throw new PlatformError(failure)
}
const lost = refused({ kind: 'unknown', platformCode: '503', message: 'Service Unavailable' })
const rejected = refused({ kind: 'rejected', platformCode: '422', message: 'Too rude' })

type Options = {
  submit?: (draft: Draft<unknown>) => Promise<Outcome>
  find?: TestPlatform['find']
  more?: object
  platform?: 'x' | 'mastodon' | 'bluesky'
}

/** A thread of three posts, `one`, `two` and `three`, which is due. The id of each on the platform is its text. */
async function createThread({ submit, find, more, platform = 'x' }: Options = {}) {
  const calls: { text: string; replyTo: string | null }[] = []
  const world = await openPublisher(database, {
    [platform]: {
      submit: async (draft: Draft<unknown>) => {
        calls.push({ text: draft.text, replyTo: draft.replyTo?.postId ?? null })
        return submit ? submit(draft) : published(draft.text)
      },
      ...(find && { find }),
    },
  })
  const id = await world.create('one', { thread: [{ text: 'two' }, { text: 'three' }], ...more })
  /** Sends and settles everything that is due, as a worker does. */
  const sendDue = async (times = 1): Promise<Submitted[]> => {
    const submitted: Submitted[] = []
    for (let time = 0; time < times; time++) {
      for (const batch of await world.claim()) {
        const result = await submitBatch(world.ctx, batch)
        await settle(world.ctx, result.finished)
        submitted.push(result)
      }
    }
    return submitted
  }
  const read = async () => {
    const { data } = await world.call('GET', `/content/${id}`)
    const { result } = data.channels[0]
    return { status: data.status, result, parts: result.parts.map((part: { status: string }) => part.status) }
  }
  const events = async () => {
    const rows = await world.ctx.db.system
      .selectFrom('outbox_event')
      .where('workspace_id', '=', world.workspaceId)
      .orderBy('id')
      .select('event')
      .execute()
    return rows.map(({ event }) => event).filter((event) => /^(channel|upload)\./.test(event))
  }
  const channelId = async () => (await world.call('GET', `/content/${id}`)).data.channels[0].id
  const recover = async (submitted: Submitted | undefined) => {
    await world.age(id, 2 * minuteMs)
    let jobs = submitted?.jobs ?? []
    for (let round = 0; jobs.length > 0 && round < 8; round++)
      jobs = await recoverChannels(world.ctx, jobs.at(-1)?.payload as Inquiry)
  }
  return { world, id, calls, sendDue, read, events, channelId, recover }
}

describe('guarantee: the posts of a thread go out once and in order', () => {
  test('each answers the one before it, and the channel is done with the last', async () => {
    const { world, calls, sendDue, read, events } = await createThread({ more: { firstComment: 'the comment' } })
    await sendDue()
    expect(await read()).toMatchObject({
      status: 'publishing',
      result: { status: 'publishing', postId: 'one', comment: 'waiting' },
      parts: ['success', 'pending', 'pending'],
    })
    expect(await events()).not.toContain('channel.published')
    await sendDue(2)
    const ended = {
      status: 'completed',
      result: { status: 'success', postId: 'one', error: null },
      parts: Array(3).fill('success'),
    }
    expect(await read()).toMatchObject({ ...ended, result: { comment: 'waiting' } })
    await sendDue(2)
    expect(calls).toEqual([
      { text: 'one', replyTo: null },
      { text: 'two', replyTo: 'one' },
      { text: 'three', replyTo: 'two' },
      { text: 'the comment', replyTo: 'three' },
    ])
    const { result, ...rest } = await read()
    expect({ result, ...rest }).toMatchObject({ ...ended, result: { comment: 'posted', warnings: [] } })
    expect(result.parts.map((part: { postUrl: string }) => part.postUrl)).toEqual(
      ['one', 'two', 'three'].map((text) => `https://social.example/${text}`),
    )
    expect((await events()).filter((event) => event === 'channel.published' || event === 'upload.completed')).toEqual([
      'channel.published',
      'upload.completed',
    ])
    await world.close()
  })

  test('a result that is stored twice makes one next post', async () => {
    const { world, calls, sendDue } = await createThread()
    const [batch] = await world.claim()
    const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
    await Promise.all([settle(world.ctx, finished), settle(world.ctx, finished)])
    await settle(world.ctx, finished)
    await sendDue(4)
    expect(calls.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    await world.close()
  })

  test('one that is refused ends the channel; a retry goes on with it and repeats nothing', async () => {
    let isRude = true
    const { world, id, calls, sendDue, read, events } = await createThread({
      submit: ({ text }) => (text === 'two' && isRude ? rejected() : Promise.resolve(published(text))),
    })
    await sendDue(4)
    expect(await read()).toMatchObject({
      status: 'partial_failure',
      result: { status: 'failed', postId: 'one', error: { platformCode: '422' } },
      parts: ['success', 'failed', 'pending'],
    })
    expect(await events()).toContain('channel.failed')
    expect((await world.call('GET', `/workspaces/${world.workspaceId}/attention`)).data).toMatchObject({
      failed: 1,
      posts: { failed: 1 },
    })
    const { data: timeline } = await world.call('GET', `/content/${id}/timeline`)
    expect(timeline.map((entry: { stage: string }) => entry.stage)).toContain('failed')
    isRude = false
    expect((await world.call('POST', `/content/${id}/retry`)).error).toBeUndefined()
    expect(await read()).toMatchObject({ status: 'publishing', result: { status: 'publishing', error: null } })
    await sendDue(4)
    expect(await read()).toMatchObject({ status: 'completed', result: { status: 'success' }, parts: Array(3).fill('success') })
    expect(calls.map(({ text }) => text)).toEqual(['one', 'two', 'two', 'three'])
    await world.close()
  })

  test('a retry on one account goes on with its thread alone', async () => {
    const sent: string[] = []
    const rude =
      (platform: string) =>
      async ({ text }: Draft<unknown>) => {
        sent.push(`${platform} ${text}`)
        return text === 'two' ? rejected() : published(`${platform} ${text}`)
      }
    const world = await openPublisher(database, { x: { submit: rude('x') }, bluesky: { submit: rude('bluesky') } })
    const id = await world.create('one', { thread: [{ text: 'two' }] })
    const sendDue = async () => {
      for (const batch of await world.claim()) await settle(world.ctx, (await submitBatch(world.ctx, batch)).finished)
    }
    await sendDue()
    await sendDue()
    type ShownChannel = { id: string; platform: string; result: { parts: { status: string }[] } }
    const channels = async (): Promise<ShownChannel[]> => (await world.call('GET', `/content/${id}`)).data.channels
    const chosen = (await channels()).find(({ platform }) => platform === 'x')?.id
    expect((await world.call('POST', `/content/${id}/retry`, { channels: [chosen] })).error).toBeUndefined()
    const parts = (await channels()).map(({ platform, result }) => [platform, result.parts[1]?.status])
    expect(Object.fromEntries(parts)).toEqual({ x: 'pending', bluesky: 'failed' })
    await sendDue()
    expect(sent.toSorted()).toEqual(['bluesky one', 'bluesky two', 'x one', 'x two', 'x two'])
    await world.close()
  })

  test('one whose answer was lost is looked for, and the thread goes on when it is found', async () => {
    const { world, calls, sendDue, read, recover } = await createThread({
      submit: ({ text }) => (text === 'two' ? lost() : Promise.resolve(published(text))),
      find: async ({ draft }): Promise<Found> =>
        draft.text === 'two' ? { state: 'published', postId: 'two', postUrl: null } : { state: 'unknown' },
    })
    await sendDue()
    const [submitted] = await sendDue()
    await recover(submitted)
    await sendDue(2)
    expect(await read()).toMatchObject({ status: 'completed', result: { status: 'success' } })
    expect(calls).toEqual([
      { text: 'one', replyTo: null },
      { text: 'two', replyTo: 'one' },
      { text: 'three', replyTo: 'two' },
    ])
    await world.close()
  })
})

describe('a post of a thread of which nobody knows whether it is there', () => {
  const loseSecond = async () => {
    const opened = await createThread({
      submit: ({ text }) => (text === 'two' ? lost() : Promise.resolve(published(text))),
      find: async () => ({ state: 'unknown' }),
    })
    await opened.sendDue()
    const [submitted] = await opened.sendDue()
    await opened.recover(submitted)
    expect(await opened.read()).toMatchObject({
      status: 'partial_failure',
      result: { status: 'unconfirmed' },
      parts: ['success', 'unconfirmed', 'pending'],
    })
    expect(await opened.world.call('POST', `/content/${opened.id}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    return opened
  }

  test('is sent again, and nothing before it, once a person says that it is not there', async () => {
    const { world, id, calls, sendDue, read, channelId } = await loseSecond()
    const path = `/content/${id}/channels/${await channelId()}/resolve`
    expect((await world.call('POST', path, { outcome: 'not_published' })).error).toBeUndefined()
    expect(await read()).toMatchObject({ result: { status: 'failed' }, parts: ['success', 'failed', 'pending'] })
    await world.call('POST', `/content/${id}/retry`)
    await sendDue(1)
    expect(calls.map(({ text }) => text)).toEqual(['one', 'two', 'two'])
    await world.close()
  })

  test('ends the thread if a person says that it is there: nothing can answer an address', async () => {
    const { world, id, calls, sendDue, read, channelId } = await loseSecond()
    const path = `/content/${id}/channels/${await channelId()}/resolve`
    await world.call('POST', path, { outcome: 'published', postUrl: 'https://social.example/two' })
    expect(await read()).toMatchObject({
      status: 'partial_failure',
      result: { status: 'failed', error: { reason: 'thread_stopped' } },
      parts: ['success', 'success', 'failed'],
    })
    expect(await world.call('POST', `/content/${id}/retry`)).toMatchObject({ error: { code: 'nothing_to_retry' } })
    await sendDue(2)
    expect(calls).toHaveLength(2)
    await world.close()
  })
})

test('a post whose id the platform does not tell ends its thread', async () => {
  const { world, calls, sendDue, read, events } = await createThread({ submit: async () => published('x'.repeat(3000)) })
  await sendDue(3)
  expect(calls).toHaveLength(1)
  expect(await read()).toMatchObject({
    status: 'partial_failure',
    result: { status: 'failed', error: { reason: 'thread_stopped' } },
    parts: ['success', 'failed', 'pending'],
  })
  expect(await events()).toContain('channel.failed')
  await world.close()
})

test('a comment that nothing can be an answer to is told by the channel', async () => {
  const { world, calls, sendDue, read } = await createThread({
    submit: async ({ text }) => published(text === 'three' ? 'x'.repeat(3000) : text),
    more: { firstComment: 'the comment' },
  })
  await sendDue(4)
  expect(calls).toHaveLength(3)
  expect(await read()).toMatchObject({
    status: 'completed',
    result: { status: 'success', comment: 'failed', warnings: expect.arrayContaining([unknownPostWarning]) },
  })
  await world.close()
})

test('a thread that waits for its account goes on when that is connected again', async () => {
  let isExpired = true
  const expired = refused({ kind: 'auth', platformCode: '401', message: 'Expired' })
  const { world, calls, sendDue, read } = await createThread({
    submit: ({ text }) => (text === 'two' && isExpired ? expired() : Promise.resolve(published(text))),
  })
  await sendDue(3)
  expect(await read()).toMatchObject({ status: 'publishing', result: { status: 'publishing', waiting: { reason: 'reconnect' } } })
  isExpired = false
  const connectionId = world.connections[0]?.id ?? ''
  await world.ctx.db.system.updateTable('connection').where('id', '=', connectionId).set({ status: 'active' }).execute()
  await world.ctx.db.tenant(world.workspaceId, (tx) => wakeWaitingChannels(tx, world.workspaceId, connectionId))
  await sendDue(3)
  expect(await read()).toMatchObject({ status: 'completed' })
  expect(calls.map(({ text }) => text)).toEqual(['one', 'two', 'two', 'three'])
  await world.close()
})
