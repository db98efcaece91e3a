import type { TimelineEntry } from '@carillon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { channelError } from '../../posts/channel-error.ts'
import type { ChannelRef } from '../channel-ref.ts'
import { openPublisher, type TestPublisher } from '../publishing.fixture.ts'
import { armBatch } from '../send/arm-batch.ts'
import type { KnownResult } from './result.ts'
import { settle } from './settle.ts'

let database: TestDatabase
let world: TestPublisher
beforeAll(async () => {
  database = await startDatabase()
  world = await openPublisher(database, { x: {} })
}, 60_000)
afterAll(async () => {
  await world.close()
  await database.stop()
})

const error = { ...channelError('platform_unavailable'), platformCode: '503' }
const published = (): KnownResult => ({
  kind: 'published',
  postId: newUuid(),
  postUrl: null,
  warnings: [],
  atMs: Date.now() - 500,
})
const later = (): KnownResult => ({
  kind: 'later',
  atMs: Date.now() - 1000,
  error,
  renew: false,
  waiting: 'platform_unavailable',
})

async function claim(): Promise<ChannelRef[]> {
  return (await world.claim()).flatMap(({ refs }) => refs)
}

/** Sends what is due and stores this result. */
async function attempt(postId: string, result: KnownResult, { isArmed = true } = {}): Promise<ChannelRef | undefined> {
  const refs = await claim()
  if (isArmed) await armBatch(world.ctx, refs)
  await finish(refs[0], postId, result)
  return refs[0]
}

async function finish(ref: ChannelRef | undefined, postId: string, result: KnownResult): Promise<void> {
  if (!ref) throw new Error('nothing was due')
  await settle(world.ctx, [{ ref, postId, isolated: false, tokenRenewedAtMs: null, result }])
}

async function timeline(postId: string): Promise<TimelineEntry[]> {
  return (await world.call('GET', `/content/${postId}/timeline`)).data
}
const stages = (entries: TimelineEntry[]) => entries.map(({ stage, attempt: number }) => `${stage} ${number}`)

/** Guarantee: the timeline of a post tells every failed attempt and what followed, and a post without failures costs no further row. */
describe('the timeline', () => {
  test('of a post that is published at the first attempt comes from its channels alone', async () => {
    const id = await world.create('straight')
    expect(stages(await timeline(id))).toEqual(['queued 0'])
    await attempt(id, published())
    const entries = await timeline(id)
    expect(stages(entries)).toEqual(['queued 0', 'sent 1', 'confirmed 1'])
    expect(entries.at(-1)).toMatchObject({ code: null, platformCode: null, message: null, retryAt: null })
    const rows = await world.ctx.db.system.selectFrom('channel_event').where('post_id', '=', id).selectAll().execute()
    expect(rows).toEqual([])
  })

  test('has every failed attempt, with its reason and the time of the next', async () => {
    const id = await world.create('twice')
    await attempt(id, later())
    await attempt(id, later())
    await attempt(id, published())
    const entries = await timeline(id)
    expect(stages(entries)).toEqual(['queued 0', 'failed 1', 'failed 2', 'sent 3', 'confirmed 3'])
    expect(entries[1]).toEqual({
      channelId: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.any(String),
      stage: 'failed',
      attempt: 1,
      code: 'platform_unavailable',
      platformCode: '503',
      message: error.message,
      retryAt: expect.any(String),
    })
  })

  test('guarantee: has the reason as a code and the platform’s own words, for sentences in another language', async () => {
    const id = await world.create('explained')
    const why = { reason: 'refused', platformMessage: 'Nicht hier' }
    await attempt(id, { kind: 'failed', error: { ...channelError('content_rejected'), ...why } })
    expect((await timeline(id)).at(-1)).toMatchObject({ stage: 'failed', code: 'content_rejected', ...why })
  })

  test('shows a long wait once, with the time of the next attempt', async () => {
    const id = await world.create('waiting')
    for (let n = 0; n < 3; n++) {
      await attempt(id, later(), { isArmed: false })
      // An attempt at preparing waits two minutes longer than it says.
      await world.ctx.db.system.updateTable('channel').where('post_id', '=', id).set({ not_before: null }).execute()
    }
    const entries = await timeline(id)
    expect(stages(entries)).toEqual(['queued 0', 'failed 0'])
    await attempt(id, { kind: 'failed', error })
    const ended = await timeline(id)
    expect(stages(ended)).toEqual(['queued 0', 'failed 0', 'sent 1', 'failed 1'])
    expect(ended.at(-1)?.retryAt).toBeNull()
  })

  test('has the retry of a person', async () => {
    const id = await world.create('retried')
    await attempt(id, { kind: 'failed', error })
    await world.call('POST', `/content/${id}/retry`)
    expect(stages(await timeline(id))).toEqual(['queued 0', 'sent 1', 'failed 1', 'queued 1'])
    await attempt(id, published())
    expect(stages(await timeline(id))).toEqual(['queued 0', 'failed 1', 'queued 1', 'sent 2', 'confirmed 2'])
  })

  test('has the confirmation after the doubt, although the post was published before', async () => {
    const id = await world.create('found')
    const ref = await attempt(id, { kind: 'unconfirmed', error: channelError('outcome_unknown') })
    await finish(ref, id, published())
    expect(stages(await timeline(id))).toEqual(['queued 0', 'sent 1', 'unconfirmed 1', 'confirmed 1'])
  })

  test.each(['published', 'not_published'])('has the decision of a person: %s', async (outcome) => {
    const id = await world.create(`resolved ${outcome}`)
    await attempt(id, { kind: 'unconfirmed', error: channelError('outcome_unknown') })
    const [entry] = await timeline(id)
    await world.call('POST', `/content/${id}/channels/${entry?.channelId}/resolve`, { outcome })
    const entries = await timeline(id)
    expect(stages(entries)).toEqual(['queued 0', 'sent 1', 'unconfirmed 1', 'resolved 1'])
    expect(entries.at(-1)?.code).toBe(outcome)
  })

  test('shows a failure that was stored before failures were kept', async () => {
    const id = await world.create('old')
    await attempt(id, { kind: 'failed', error })
    await world.ctx.db.system.deleteFrom('channel_event').where('post_id', '=', id).execute()
    const entries = await timeline(id)
    expect(stages(entries)).toEqual(['queued 0', 'sent 1', 'failed 1'])
    expect(entries.at(-1)).toMatchObject({ code: 'platform_unavailable', platformCode: '503' })
  })

  test('tells open pages that a channel waits', async () => {
    const id = await world.create('live')
    await attempt(id, later())
    const rows = await world.ctx.db.system.selectFrom('outbox_event').where('subject_id', '=', id).select('event').execute()
    expect(rows).toEqual([{ event: 'post.changed' }])
    await attempt(id, published())
  })

  test('a draft has none, and a post of another workspace is unknown', async () => {
    const { data } = await world.call('POST', '/content/text', {
      text: 'draft',
      connections: world.connections.map(({ slug }) => slug),
      saveDraft: true,
    })
    expect(await timeline(data.draftId)).toEqual([])
    const other = await openPublisher(database, { x: {} })
    expect((await other.call('GET', `/content/${data.draftId}/timeline`)).error.code).toBe('post_not_found')
    await other.close()
  })
})
