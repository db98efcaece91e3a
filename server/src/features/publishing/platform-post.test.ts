import { PlatformError, type Found, type Outcome } from '@carillon/connectors'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { addConnections } from '../connections/add-connections.ts'
import type { Inquiry } from './jobs.ts'
import { openPublisher, type TestPublisher } from './publishing.fixture.ts'
import { recoverChannels } from './recover/recover-channel.ts'
import { armBatch } from './send/arm-batch.ts'
import { submitBatch } from './send/submit-batch.ts'
import type { Finished, KnownResult } from './settle/result.ts'
import { settle } from './settle/settle.ts'

/** Guarantee: a post on a platform belongs to one channel. The same text on the same account does not make it the post of another one. */

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 120_000)
afterAll(() => database.stop())

const lost = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' }))
const shown = (postId: string): Outcome & Found => ({ state: 'published', postId, postUrl: null })
const absent: Found = { state: 'absent', proof: 'listing' }

/** Sends what is due and stores the answers. */
async function send({ ctx, claim }: TestPublisher) {
  const [batch = { platform: 'x', refs: [], dueAtMs: 0 }] = await claim()
  const { finished, jobs } = await submitBatch(ctx, batch)
  const inquiries = [...jobs, ...(await settle(ctx, finished))].filter(({ handler }) => handler === 'recover')
  return inquiries.map(({ payload }) => payload as Inquiry)
}

/** Asks about channels once, and lets pass what the next time waits for. */
async function askOnce({ ctx, pass }: TestPublisher, inquiries: readonly Inquiry[]): Promise<Inquiry[]> {
  const jobs = (await Promise.all(inquiries.map((inquiry) => recoverChannels(ctx, inquiry)))).flat()
  pass(Math.max(0, ...jobs.map(({ delayMs = 0 }) => delayMs)))
  return jobs.map(({ payload }) => payload as Inquiry)
}

/** Asks about channels without an answer until nothing is open. */
async function recover(world: TestPublisher, inquiries: readonly Inquiry[]): Promise<void> {
  for (let open = [...inquiries], n = 0; open.length > 0; n++) {
    if (n === 30) throw new Error('the platform is asked without end')
    open = await askOnce(world, open)
  }
}

async function resultsOf({ call }: TestPublisher, ids: readonly string[]): Promise<(string | null)[][]> {
  const posts = await Promise.all(ids.map((id) => call('GET', `/content/${id}`)))
  return posts.map(({ data }) => [data.channels[0].result.status, data.channels[0].result.postId])
}

/** Two posts with the same text, whose answers are lost. Both questions are asked before an answer to either is stored. */
async function loseTwo(find: (known: ReadonlySet<string>) => Found) {
  const both = Promise.withResolvers<void>()
  let asked = 0
  const world = await openPublisher(database, {
    x: {
      submit: lost,
      async find({ knownPostIds }) {
        if (++asked === 2) both.resolve()
        await both.promise
        return find(knownPostIds)
      },
    },
  })
  const ids = [await world.create('same'), await world.create('same')]
  const inquiries = await send(world)
  await recover(
    world,
    inquiries.flatMap(({ refs, ...more }) => refs.map((ref) => ({ ...more, refs: [ref] }))),
  )
  return { world, results: (await resultsOf(world, ids)).toSorted((a, b) => String(a).localeCompare(String(b))) }
}

describe('two posts with the same text, both asked about at once', () => {
  test('one was published: the other is unconfirmed', async () => {
    const { world, results } = await loseTwo((known) => (known.has('one') ? absent : shown('one')))
    expect(results).toEqual([
      ['success', 'one'],
      ['unconfirmed', null],
    ])
    await world.close()
  })

  test('both were published: each has its own', async () => {
    const { world, results } = await loseTwo((known) => shown(known.has('one') ? 'two' : 'one'))
    expect(results).toEqual([
      ['success', 'one'],
      ['success', 'two'],
    ])
    await world.close()
  })

  test('a platform that insists on one post is not asked for ever', async () => {
    const { world, results } = await loseTwo(() => shown('one'))
    expect(results).toEqual([
      ['success', 'one'],
      ['unconfirmed', null],
    ])
    await world.close()
  })
})

/** As `shown`, by a search for the same words. */
const alike = (postId: string): Found => ({ ...shown(postId), byWords: true })

describe('a post that another channel may have made', () => {
  const findOne = async ({ knownPostIds }: { knownPostIds: ReadonlySet<string> }) =>
    knownPostIds.has('one') ? absent : alike('one')

  test('an answer that is still on its way has the post', async () => {
    const answer = Promise.withResolvers<Outcome>()
    const answers = [lost, () => answer.promise]
    const accountId = newUuid()
    const world = await openPublisher(database, { x: { accountId, submit: () => (answers.shift() ?? lost)(), find: findOne } })
    const first = await world.create('same')
    const inquiries = await send(world)
    const second = await world.create('same')
    const sending = send(world)
    await expect.poll(() => world.sent.length).toBe(2)
    const open = await askOnce(world, inquiries)
    expect(open).toHaveLength(1)
    answer.resolve(shown('one'))
    await sending
    await recover(world, open)
    expect(await resultsOf(world, [first, second])).toEqual([
      ['unconfirmed', null],
      ['success', 'one'],
    ])
    await world.close()
  })

  test('also that of another workspace, and a post with other words is not waited for', async () => {
    const answer = Promise.withResolvers<Outcome>()
    const accountId = newUuid()
    const other = await openPublisher(database, { x: { accountId, submit: () => answer.promise } })
    const world = await openPublisher(database, { x: { accountId, submit: lost, find: findOne } })
    const theirs = await other.create('same')
    const sending = send(other)
    await expect.poll(() => other.sent.length).toBe(1)
    const [mine, unlike] = [await world.create('same'), await world.create('unlike')]
    const open = await askOnce(world, await send(world))
    expect(open.flatMap(({ refs }) => refs)).toHaveLength(1)
    answer.resolve(shown('two'))
    await sending
    expect((await resultsOf(world, [mine, unlike])).map(([status]) => status)).toEqual(['publishing', 'success'])
    expect(await resultsOf(other, [theirs])).toEqual([['success', 'two']])
    await Promise.all([world.close(), other.close()])
  })

  /** The first one arrived. The second was sent later, so the post that is there cannot be its. */
  test('of two lost ones, the post is that of the one that was sent first', async () => {
    const world = await openPublisher(database, { x: { submit: lost, find: findOne } })
    const first = await world.create('same')
    const inquiries = await send(world)
    const second = await world.create('same')
    const later = await send(world)
    world.pass(3_600_000)
    const waiting = await askOnce(world, later)
    expect(waiting).toHaveLength(1)
    await recover(world, inquiries)
    await recover(world, waiting)
    expect(await resultsOf(world, [first, second])).toEqual([
      ['success', 'one'],
      ['unconfirmed', null],
    ])
    await world.close()
  })

  test('a platform that recognises the key of a repeat is asked by that', async () => {
    const made = new Map([['', 'none']])
    let isUp = false
    let keys: string[] = []
    const world = await openPublisher(database, {
      bluesky: {
        manifest: { handle: 'key', handleLastsMs: null },
        // Of the first two calls the second has arrived.
        submit: async (_draft, key) => {
          keys = [...keys, key]
          if (keys.length === 2) made.set(key, 'one')
          if (!isUp) return lost()
          if (!made.has(key)) made.set(key, 'two')
          return shown(made.get(key) ?? '')
        },
        find: findOne,
      },
    })
    const ids = [await world.create('same'), await world.create('same')]
    const inquiries = await send(world)
    isUp = true
    await recover(world, inquiries)
    expect((await resultsOf(world, ids)).toSorted()).toEqual([
      ['success', 'one'],
      ['success', 'two'],
    ])
    expect([...made.values()].toSorted()).toEqual(['none', 'one', 'two'])
    await world.close()
  })
})

/** A post that is published as `one` on this account, by another workspace. */
async function publishElsewhere(accountId: string): Promise<TestPublisher> {
  const world = await openPublisher(database, { x: { accountId, submit: async () => shown('one') } })
  const id = await world.create('same')
  await send(world)
  expect(await resultsOf(world, [id])).toEqual([['success', 'one']])
  return world
}

describe('an account that is connected in two workspaces', () => {
  const findAny = async ({ knownPostIds }: { knownPostIds: ReadonlySet<string> }) =>
    knownPostIds.has('one') ? absent : shown('one')

  test('a post that was lost in one is not taken for that of the other', async () => {
    const accountId = newUuid()
    const other = await publishElsewhere(accountId)
    const world = await openPublisher(database, { x: { accountId, submit: lost, find: findAny } })
    const id = await world.create('same')
    await recover(world, await send(world))
    expect(await resultsOf(world, [id])).toEqual([['unconfirmed', null]])
    await Promise.all([world.close(), other.close()])
  })

  test('nor after the other workspace has deleted its post, which still exists on the platform', async () => {
    const accountId = newUuid()
    const other = await publishElsewhere(accountId)
    await sql`delete from post where workspace_id = ${other.workspaceId}`.execute(other.ctx.db.system)
    const world = await openPublisher(database, { x: { accountId, submit: lost, find: async () => shown('one') } })
    const id = await world.create('same')
    await recover(world, await send(world))
    expect(await resultsOf(world, [id])).toEqual([['unconfirmed', null]])
    await Promise.all([world.close(), other.close()])
  })

  test('nor after the account was disconnected and connected again', async () => {
    const account = {
      platform: 'x',
      handle: 'tower',
      accountId: newUuid(),
      instanceUrl: null,
      credentials: { accessToken: 't' },
    } as const
    const answers = [async () => shown('one'), lost]
    const world = await openPublisher(database, { x: { submit: () => (answers.shift() ?? lost)(), find: findAny } })
    const ids: string[] = []
    for (const text of ['same', 'same']) {
      const [connection] = await addConnections(world.ctx, world.workspaceId, [account])
      const { data } = await world.call('POST', '/content/text', { text, connections: [connection?.slug] })
      ids.push(data.uploadId)
      await recover(world, await send(world))
      await sql`delete from connection where workspace_id = ${world.workspaceId}`.execute(world.ctx.db.system)
    }
    expect(await resultsOf(world, ids)).toEqual([
      ['success', 'one'],
      ['unconfirmed', null],
    ])
    await world.close()
  })

  test('a workspace that is deleted leaves nothing', async () => {
    const other = await publishElsewhere(newUuid())
    const count = async () => {
      const { rows } = await sql`select from platform_post where workspace_id = ${other.workspaceId}`.execute(other.ctx.db.system)
      return rows.length
    }
    expect(await count()).toBe(1)
    await sql`delete from workspace where id = ${other.workspaceId}`.execute(other.ctx.db.system)
    expect(await count()).toBe(0)
    await other.close()
  })
})

test('an answer with the post of another channel does not hold the rest of its batch', async () => {
  const accountId = newUuid()
  const other = await publishElsewhere(accountId)
  const world = await openPublisher(database, {
    x: { accountId, submit: async ({ text }) => shown(text === 'taken' ? 'one' : newUuid()), find: async () => absent },
  })
  const ids = [await world.create('before'), await world.create('taken'), await world.create('after')]
  const inquiries = await send(world)
  expect((await resultsOf(world, ids)).map(([status]) => status)).toEqual(['success', 'publishing', 'success'])
  await recover(world, inquiries)
  expect((await resultsOf(world, ids)).map(([status]) => status)).toEqual(['success', 'unconfirmed', 'success'])
  await Promise.all([world.close(), other.close()])
})

/** Claims and guards everything that is due, and gives it with these results. */
async function arm({ ctx, claim }: TestPublisher, ids: readonly string[], results: readonly KnownResult[]): Promise<Finished[]> {
  const refs = (await claim()).flatMap((batch) => batch.refs)
  await armBatch(ctx, refs)
  const rows = await ctx.db.system.selectFrom('channel').where('post_id', 'in', ids).select(['id', 'post_id']).execute()
  return ids.flatMap((postId, n) => {
    const ref = refs.find(({ channelId }) => rows.some(({ id, post_id }) => id === channelId && post_id === postId))
    const result = results[n]
    return ref && result ? [{ ref, postId, isolated: false, tokenRenewedAtMs: null, result }] : []
  })
}

const published = (postId: string): KnownResult => ({ kind: 'published', postId, postUrl: null, warnings: [], atMs: Date.now() })

test(
  'two processes that store the same ids at the same moment do not wait for each other, and each id has one channel',
  { timeout: 60_000 },
  async () => {
    const accountId = newUuid()
    const worlds = [
      await openPublisher(database, { x: { accountId } }),
      await openPublisher(database, { x: { accountId } }),
    ] as const
    const names = Array.from({ length: 6 }, (_, n) => `post ${n}`)
    const batches: { world: TestPublisher; ids: string[]; finished: Finished[] }[] = []
    for (const [world, order] of [
      [worlds[0], names],
      [worlds[1], names.toReversed()],
    ] as const) {
      const ids: string[] = []
      for (const name of names) ids.push(await world.create(name))
      batches.push({ world, ids, finished: await arm(world, ids, order.map(published)) })
    }
    expect(batches.map(({ finished }) => finished.length)).toEqual([6, 6])
    // A third transaction has an id from the middle, so both have claimed some and wait before either can go on.
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('begin')
    await client.query(`insert into platform_post values ('x', '', $1, 'post 3', $2, 'none', 'post')`, [
      accountId,
      worlds[0].workspaceId,
    ])
    const settling = Promise.all(batches.map(({ world, finished }) => settle(world.ctx, finished)))
    const waiting = `select count(distinct pid)::int as n from pg_locks where not granted`
    const isWaiting = async () => (await client.query<{ n: number }>(waiting)).rows[0]?.n
    await expect.poll(isWaiting, { timeout: 30_000 }).toBe(2)
    await client.query('rollback')
    await client.end()
    await settling
    const results = (await Promise.all(batches.map(({ world, ids }) => resultsOf(world, ids)))).flat()
    const held = results.flatMap(([status, postId]) => (status === 'success' ? [postId] : []))
    expect(held.toSorted()).toEqual(names.toSorted())
    await Promise.all(worlds.map((world) => world.close()))
  },
)

test('a channel may be settled again with its own id, and a platform that names another post while processing leaves a doubt', async () => {
  const accountId = newUuid()
  const other = await publishElsewhere(accountId)
  const world = await openPublisher(database, { x: { accountId } })
  const ids = [await world.create('first'), await world.create('second')]
  const finished = await arm(world, ids, [published('mine'), { kind: 'processing', reference: 'r', checkAfterMs: 0 }])
  await settle(world.ctx, finished)
  const [mine, processing] = finished
  if (!mine || !processing) throw new Error('nothing was armed')
  await sql`update channel set state = 'unconfirmed' where id = ${mine.ref.channelId}`.execute(world.ctx.db.system)
  await settle(world.ctx, [mine, { ...processing, result: published('one') }])
  expect(await resultsOf(world, ids)).toEqual([
    ['success', 'mine'],
    ['unconfirmed', null],
  ])
  await Promise.all([world.close(), other.close()])
})

test('guarantee: a request cannot learn which ids exist', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`begin; set local role carillon_app; set local carillon.workspace = 'w'`)
  await expect(client.query('select from platform_post')).rejects.toThrow('permission denied')
  await client.end()
})
