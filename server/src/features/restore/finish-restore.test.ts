import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fence, findOpenEpoch, readCell } from '../../infra/cell/cell.store.ts'
import { planDeliveries } from '../webhooks/plan-deliveries.ts'
import { takeEvents } from '../events/outbox.store.ts'
import { acceptDatabase } from './accept-database.ts'
import { finishRestore } from './finish-restore.ts'
import { openRestoredWorkspace } from './restore.fixture.ts'

let workspace: Awaited<ReturnType<typeof openRestoredWorkspace>>
beforeAll(async () => {
  workspace = await openRestoredWorkspace()
})
afterAll(() => workspace.close())

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('guarantee: what may have been sent in the lost time is not sent again', () => {
  const posts: Record<string, string> = {}
  const lost = { from: ago(20), until: ago(2) }

  beforeAll(async () => {
    const { ctx, addPost } = workspace
    posts['scheduled'] = await addPost({ text: 'one', dueAgo: 10 })
    posts['dispatched'] = await addPost({ text: 'two', dueAgo: 10, state: 'dispatched' })
    posts['submitting'] = await addPost({ text: 'three', dueAgo: 21, state: 'submitting' })
    posts['two channels'] = await addPost({ text: 'four', dueAgo: 5, slugs: ['mastodon-tower', 'threads-bell'] })
    posts['later'] = await addPost({ text: 'five', dueAgo: -30 })
    posts['claimed for later'] = await addPost({ text: 'six', dueAgo: -1, state: 'dispatched' })
    posts['draft'] = await addPost({ text: 'seven', dueAgo: 10, state: 'draft' })
    posts['new'] = await addPost({ text: 'eight', dueAgo: 10 })
    await sql`update post set created_at = now() where id = ${posts['new']}`.execute(ctx.db.system)
    posts['comment'] = await addPost({ text: 'nine', dueAgo: 15, state: 'published', comment: 'hello' })
    posts['processed'] = await addPost({ text: 'ten', dueAgo: 25, state: 'confirming', comment: 'hello' })
    await sql`
      insert into session (id, person_id, token, expires_at, created_at, updated_at)
      select 's', id, 't', now() + interval '1 day', now(), now() from person`.execute(ctx.db.system)
    await sql`delete from outbox_event`.execute(ctx.db.system)
    await fence(ctx.db.system, 'the database is at an earlier position')
  })

  const statesOf = async (name: string) => (await workspace.states(posts[name] ?? '')).map(({ state }) => state)

  test('one transaction doubts the channels, ends the sessions and opens a new epoch', async () => {
    expect(await findOpenEpoch(workspace.ctx.db.system)).toBeNull()
    expect(await finishRestore(workspace.ctx, lost)).toEqual({
      epoch: expect.any(Number),
      wasFinished: false,
      doubtedChannels: 5,
      doubtedComments: 2,
      endedSessions: 1,
      workspaces: 1,
    })
    const cell = await readCell(workspace.ctx.db.system)
    expect(cell.epoch).toBeGreaterThan(1)
    expect(cell).toMatchObject({ fencedAt: null, isOpen: false, lostFrom: lost.from, lostUntil: lost.until })
  })

  test.each(['scheduled', 'dispatched', 'submitting'])(
    'a channel that was %s and due in the lost time is unconfirmed',
    async (name) => {
      const { status, channels } = await workspace.seePost(posts[name] ?? '')
      expect([status, channels.map(({ result }) => [result.status, result.error?.code])]).toEqual([
        'failed',
        [['unconfirmed', 'restored']],
      ])
      expect(await statesOf(name)).toEqual(['doubted'])
    },
  )

  test('all channels of a post', async () => expect(await statesOf('two channels')).toEqual(['doubted', 'doubted']))

  test.each([
    ['later', 'scheduled'],
    ['claimed for later', 'dispatched'],
    ['draft', 'draft'],
    ['new', 'scheduled'],
  ])('what was not due in the lost time stays as it is: %s', async (name, state) => {
    expect(await statesOf(name)).toEqual([state])
  })

  test('what was claimed for later is taken up by recovery at once, because its job belongs to the earlier epoch', async () => {
    const [channel] = await workspace.states(posts['claimed for later'] ?? '')
    expect(channel?.recover_at?.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('a first comment that may have been sent is not sent again, and the post says so', async () => {
    const [channel] = await workspace.states(posts['comment'] ?? '')
    expect(channel?.state).toBe('published')
    expect(await workspace.comments(posts['comment'] ?? '')).toMatchObject([{ state: 'doubted' }])
    expect(channel?.warnings.join(' ')).toContain('first comment')
  })

  test('the first comment of a post that was being processed is left out, and the post says so', async () => {
    const [channel] = await workspace.states(posts['processed'] ?? '')
    expect([channel?.state, channel?.parts]).toEqual(['confirming', 1])
    expect(channel?.warnings.join(' ')).toContain('first comment')
  })

  test('a person cannot move, publish or retry what is in doubt, but can resolve it', async () => {
    const id = posts['scheduled'] ?? ''
    const { channels } = await workspace.seePost(id)
    const path = `${id}/channels/${channels[0]?.id}/resolve`
    expect((await workspace.request(`${id}/retry`)).json().error.code).toBe('nothing_to_retry')
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    expect((await workspace.request(`${id}/reschedule`, { scheduledAt })).json().error.code).toBe('not_scheduled')
    expect(await statesOf('scheduled')).toEqual(['doubted'])
    expect((await workspace.request(path, { outcome: 'not_published' })).statusCode).toBe(200)
    expect((await workspace.seePost(id)).channels.map(({ result }) => result.status)).toEqual(['failed'])
    expect((await workspace.request(`${id}/retry`)).statusCode).toBe(200)
  })

  test('every workspace learns of the restore, and its webhooks get the lost time', async () => {
    const { ctx, workspaceId } = workspace
    const names = (await workspace.events()).map(({ event }) => event)
    expect(names.filter((name) => name === 'channel.unconfirmed')).toHaveLength(5)
    expect(names.filter((name) => name === 'workspace.restored')).toHaveLength(1)
    await sql`
      insert into webhook (workspace_id, id, url, events, secret_sealed, secret_hint, active, created_at, updated_at)
      values (${workspaceId}, '6737b0119b1e8a0012ab3600', 'https://example.com', '{workspace.restored}', '', '', true, now(), now())`.execute(
      ctx.db.system,
    )
    await ctx.db.system
      .transaction()
      .execute(async (tx) => planDeliveries(ctx, tx, (await takeEvents(tx, { from: 0, limit: 1000 })).events))
    const deliveries = await ctx.db.system.selectFrom('webhook_delivery').selectAll().execute()
    expect(deliveries.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      expect.objectContaining({
        event: 'workspace.restored',
        workspaceId,
        data: { from: lost.from.toISOString(), until: lost.until.toISOString() },
      }),
    ])
  })

  test('run twice, it changes nothing more', async () => {
    const { epoch } = await readCell(workspace.ctx.db.system)
    expect(await finishRestore(workspace.ctx, lost)).toMatchObject({ epoch, wasFinished: true, doubtedChannels: 0 })
    expect((await workspace.events()).filter(({ event }) => event === 'workspace.restored')).toEqual([])
  })

  test('another restore ends the questions about channels that the first one left in doubt', async () => {
    await finishRestore(workspace.ctx, { from: ago(1), until: ago(0.5) })
    expect((await workspace.states(posts['two channels'] ?? '')).map(({ recover_at }) => recover_at)).toEqual([null, null])
  })
})

test.each([
  ['ends before it starts', { from: ago(1), until: ago(2) }],
  ['ends in the future', { from: ago(1), until: ago(-1) }],
])('a lost time that %s is refused', async (_name, lost) => {
  await expect(finishRestore(workspace.ctx, lost)).rejects.toThrow('the lost time')
})

test('a fence with nothing lost is lifted on an operator’s word, once', async () => {
  const { ctx } = workspace
  await fence(ctx.db.system, 'no witness')
  const { epoch } = await readCell(ctx.db.system)
  expect(await acceptDatabase(ctx)).toBe(true)
  expect(await acceptDatabase(ctx)).toBe(false)
  const lifted = await readCell(ctx.db.system)
  expect(lifted.fencedAt).toBeNull()
  expect(lifted.epoch).toBeGreaterThan(epoch)
})
