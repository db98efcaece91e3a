import { PlatformError } from '@carillon/connectors'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { fence } from '../../infra/cell/cell.store.ts'
import type { Inquiry } from './jobs.ts'
import { openPublisher, type TestPlatform, type TestPublisher } from './publishing.fixture.ts'
import { recoverChannels } from './recover/recover-channel.ts'
import { armBatch } from './send/arm-batch.ts'
import { submitBatch } from './send/submit-batch.ts'
import { settle } from './settle/settle.ts'

let database: TestDatabase
let world: TestPublisher
let submit: TestPlatform['submit']

beforeAll(async () => {
  database = await startDatabase()
  world = await openPublisher(database, {
    bluesky: {
      submit: (draft) => submit?.(draft, '') ?? Promise.resolve({ state: 'published', postId: 'at://1', postUrl: null }),
      find: async () => ({ state: 'unknown' }),
    },
  })
}, 60_000)
afterAll(async () => {
  await world.close()
  await database.stop()
})
beforeEach(async () => {
  submit = undefined
  world.sent.length = 0
  await sql`update cell set fenced_at = null, fence_reason = null, open_until = now() + interval '1 hour'`.execute(
    world.ctx.db.system,
  )
})

const fenceNow = () => fence(world.ctx.db.system, 'a test')

async function claimOne() {
  const [batch] = await world.claim()
  if (!batch) throw new Error('nothing was claimed')
  return batch
}

/** A restored database does not know what was sent after its backup was made: sending would publish posts twice. */
describe('guarantee: while the database is fenced, nothing is sent', () => {
  test('nothing is claimed', async () => {
    await world.create('not claimed')
    await fenceNow()
    expect(await world.claim()).toEqual([])
  })

  test('no guard is set for what was claimed before', async () => {
    await world.create('claimed before')
    const batches = await world.claim()
    await fenceNow()
    for (const { refs } of batches) expect((await armBatch(world.ctx, refs)).send).toEqual([])
  })

  test('no first comment is sent', async () => {
    await world.create('the post', { firstComment: 'the comment' })
    const { finished } = await submitBatch(world.ctx, await claimOne())
    await settle(world.ctx, finished)
    const comment = await claimOne()
    await fenceNow()
    expect((await armBatch(world.ctx, comment.refs)).send).toEqual([])
    expect(await world.claim()).toEqual([])
    expect(world.sent).toEqual(['the post'])
  })

  test('recovery repeats no send', async () => {
    submit = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' }))
    await world.create('lost')
    const { jobs } = await submitBatch(world.ctx, await claimOne())
    await fenceNow()
    await recoverChannels(world.ctx, jobs[0]?.payload as Inquiry)
    expect(world.sent).toEqual(['lost'])
  })
})

test('guarantee: a job from before a restore sets no guard', async () => {
  await world.create('of an earlier epoch')
  const { refs } = await claimOne()
  await sql`update cell set epoch = epoch + 1`.execute(world.ctx.db.system)
  expect((await armBatch(world.ctx, refs)).send).toEqual([])
})
