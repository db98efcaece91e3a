import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askAboutDoubted } from './ask-about-doubted.ts'
import { finishRestore } from './finish-restore.ts'
import { openRestoredWorkspace } from './restore.fixture.ts'

let workspace: Awaited<ReturnType<typeof openRestoredWorkspace>>
beforeAll(async () => {
  workspace = await openRestoredWorkspace()
})
afterAll(() => workspace.close())

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const both = ['mastodon-tower', 'threads-bell']

beforeEach(async () => {
  workspace.platform.answer = () => ({ state: 'unknown' })
  await sql`delete from post`.execute(workspace.ctx.db.system)
  await sql`delete from platform_post`.execute(workspace.ctx.db.system)
})

/** The restore is finished, and a worker has compared the database with its witness. */
async function restore(until = 8): Promise<void> {
  await finishRestore(workspace.ctx, { from: ago(30), until: ago(until) })
  await sql`update cell set open_until = 'infinity'`.execute(workspace.ctx.db.system)
}

const statesOf = async (id: string) => (await workspace.states(id)).map(({ state }) => state)

describe('guarantee: a doubted channel is asked about and never sent on a guess', () => {
  test('found: published, and its first comment is left to a person', async () => {
    const id = await workspace.addPost({ text: 'live', dueAgo: 10, comment: 'more' })
    await restore()
    workspace.platform.answer = () => ({ state: 'published', postId: '77', postUrl: 'https://social.example/77' })
    await askAboutDoubted(workspace.ctx)
    const { status, channels } = await workspace.seePost(id)
    expect([status, channels[0]?.result]).toMatchObject(['completed', { status: 'success', postId: '77', error: null }])
    expect(channels[0]?.result.warnings.join(' ')).toContain('first comment')
    expect(channels[0]?.result.comment).toBe('failed')
    expect(await workspace.comments(id)).toEqual([])
  })

  test('the rest of a thread is asked about post by post, and goes on with the first that is not there', async () => {
    const id = await workspace.addPost({ text: 'one', dueAgo: 10, thread: ['two', 'three', 'four'] })
    await restore()
    workspace.platform.answer = ({ text }) =>
      text === 'one' || text === 'two'
        ? { state: 'published', postId: text, postUrl: null }
        : { state: 'absent', proof: 'reference' }
    const seen: unknown[] = []
    for (let round = 0; round < 3; round++) {
      await askAboutDoubted(workspace.ctx)
      const { status, channels } = await workspace.seePost(id)
      seen.push([status, channels[0]?.result.parts?.map((part) => part.status)])
      await workspace.askAgain()
    }
    expect(seen).toEqual([
      ['partial_failure', ['success', 'unconfirmed', 'pending', 'pending']],
      ['partial_failure', ['success', 'success', 'unconfirmed', 'pending']],
      ['publishing', ['success', 'success', 'pending', 'pending']],
    ])
    const next = await workspace.ctx.db.system
      .selectFrom('part')
      .where('post_id', '=', id)
      .where('number', '=', 2)
      .selectAll()
      .execute()
    expect(next).toMatchObject([{ state: 'scheduled', reply_to: 'two' }])
    expect(workspace.platform.sends).toBe(0)
  })

  test('the question names the lost time and the posts of other channels', async () => {
    const first = await workspace.addPost({ text: 'same', dueAgo: 12 })
    const second = await workspace.addPost({ text: 'same', dueAgo: 10 })
    await restore()
    const asked: unknown[] = []
    workspace.platform.answer = ({ window, known }) => {
      asked.push([...known])
      expect(window.fromMs).toBeLessThanOrEqual(ago(31).getTime())
      expect(window.untilMs).toBeLessThanOrEqual(ago(8).getTime())
      return known.has('1') ? { state: 'absent', proof: 'listing' } : { state: 'published', postId: '1', postUrl: null }
    }
    await askAboutDoubted(workspace.ctx)
    expect(asked).toEqual([[], ['1']])
    expect([...(await statesOf(first)), ...(await statesOf(second))].toSorted()).toEqual(['published', 'scheduled'])
  })

  test('a post that another channel holds is never taken twice', async () => {
    const ids = [await workspace.addPost({ text: 'a', dueAgo: 12 }), await workspace.addPost({ text: 'b', dueAgo: 10 })]
    await restore()
    workspace.platform.answer = () => ({ state: 'published', postId: '5', postUrl: null })
    await askAboutDoubted(workspace.ctx)
    expect((await Promise.all(ids.map(statesOf))).flat().toSorted()).toEqual(['doubted', 'published'])
  })

  test('unknown, or an error: it stays, and is asked about again later', async () => {
    const id = await workspace.addPost({ text: 'lost', dueAgo: 10 })
    await restore()
    await askAboutDoubted(workspace.ctx)
    workspace.platform.answer = () => {
      throw new Error('no answer')
    }
    await workspace.askAgain()
    await askAboutDoubted(workspace.ctx)
    const [channel] = await workspace.states(id)
    expect([channel?.state, channel?.error?.code]).toEqual(['doubted', 'restored'])
    expect(channel?.recover_at?.getTime()).toBeGreaterThan(Date.now() + 50_000)
  })

  test('after a day only a person can tell', async () => {
    const id = await workspace.addPost({ text: 'lost', dueAgo: 10 })
    await restore()
    await sql`update cell set restored_at = now() - interval '25 hours'`.execute(workspace.ctx.db.system)
    await askAboutDoubted(workspace.ctx)
    expect((await workspace.states(id)).map(({ state, recover_at }) => [state, recover_at])).toEqual([['doubted', null]])
  })

  test('while the database is fenced or unchecked, nothing is asked', async () => {
    await workspace.addPost({ text: 'live', dueAgo: 10 })
    await restore()
    await sql`update cell set open_until = now()`.execute(workspace.ctx.db.system)
    let asked = 0
    workspace.platform.answer = () => {
      asked++
      return { state: 'unknown' }
    }
    await askAboutDoubted(workspace.ctx)
    expect(asked).toBe(0)
  })
})

describe('certainly absent', () => {
  test('the post returns to the schedule with its old due time, so that it is late and can be held as a whole', async () => {
    const id = await workspace.addPost({ text: 'absent', dueAgo: 10, slugs: both })
    await restore()
    workspace.platform.answer = () => ({ state: 'absent', proof: 'listing' })
    await askAboutDoubted(workspace.ctx)
    const channels = await workspace.states(id)
    expect(channels.map(({ state, error }) => [state, error])).toEqual([
      ['scheduled', null],
      ['scheduled', null],
    ])
    expect(channels[0]?.due_at?.getTime()).toBeLessThan(ago(9).getTime())
    expect(channels[0]?.wake_at?.getTime()).toBeLessThanOrEqual(Date.now())
    expect((await workspace.seePost(id)).status).toBe('scheduled')
    expect(workspace.platform.sends).toBe(0)
  })

  test('a post of which one channel is live goes on as publishing', async () => {
    const id = await workspace.addPost({ text: 'half', dueAgo: 10, slugs: both })
    await restore()
    let asked = 0
    workspace.platform.answer = () =>
      asked++ === 0 ? { state: 'published', postId: 'p1', postUrl: null } : { state: 'absent', proof: 'listing' }
    await askAboutDoubted(workspace.ctx)
    expect((await statesOf(id)).toSorted()).toEqual(['published', 'scheduled'])
    expect((await workspace.seePost(id)).status).toBe('publishing')
  })

  test('a listing so soon after the lost time proves nothing; the platform’s own word does', async () => {
    const listed = await workspace.addPost({ text: 'listing', dueAgo: 10 })
    const referenced = await workspace.addPost({ text: 'reference', dueAgo: 10 })
    await sql`update channel set staged = '{"container": "9"}' where post_id = ${referenced}`.execute(workspace.ctx.db.system)
    await restore(2)
    workspace.platform.answer = ({ text }) => ({ state: 'absent', proof: text === 'listing' ? 'listing' : 'reference' })
    await askAboutDoubted(workspace.ctx)
    expect([...(await statesOf(listed)), ...(await statesOf(referenced))]).toEqual(['doubted', 'scheduled'])
    // The platform refuses to publish the same container twice, so it is used again.
    expect((await workspace.states(referenced))[0]?.staged).toEqual({ container: '9' })
  })

  test('what was staged is not used again after a listing', async () => {
    const id = await workspace.addPost({ text: 'listing', dueAgo: 10 })
    await sql`update channel set staged = '{"container": "9"}' where post_id = ${id}`.execute(workspace.ctx.db.system)
    await restore()
    workspace.platform.answer = () => ({ state: 'absent', proof: 'listing' })
    await askAboutDoubted(workspace.ctx)
    expect((await workspace.states(id)).map(({ state, staged }) => [state, staged])).toEqual([['scheduled', null]])
  })
})
