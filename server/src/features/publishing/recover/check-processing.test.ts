import { PlatformError, type Outcome } from '@carillon/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../../test/start-database.ts'
import type { PublishJobs } from '../jobs.ts'
import { openPublisher } from '../publishing.fixture.ts'
import { submitBatch } from '../send/submit-batch.ts'
import { settle } from '../settle/settle.ts'
import { checkProcessing } from './check-processing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

/** A post that the platform is processing. */
async function publishSlowly(check: () => Promise<Outcome>, refreshToken?: string) {
  const world = await openPublisher(database, {
    x: {
      submit: async () => ({ state: 'processing', reference: 'r1', checkAfterMs: 1_000 }),
      check,
      ...(refreshToken !== undefined && { refreshToken }),
    },
  })
  const id = await world.create('slow')
  const [batch] = await world.claim()
  const { finished } = await submitBatch(world.ctx, batch ?? { platform: 'x', refs: [], dueAtMs: 0 })
  const [job] = await settle(world.ctx, finished)
  if (!job) throw new Error('nothing is to be checked')
  const { ref } = job.payload as PublishJobs['check']
  return { world, id, ref }
}

describe('guarantee: a token that ends while a platform processes a post does not leave the post unconfirmed', () => {
  const expired = () => Promise.reject(new PlatformError({ kind: 'auth', platformCode: null, message: 'expired' }))
  const published = async () => ({ state: 'published', postId: '7', postUrl: null }) as const

  test('the token is renewed, and the platform is asked with the new one', async () => {
    let checks = 0
    const { world, id, ref } = await publishSlowly(() => (++checks === 1 ? expired() : published()), 'refresh')
    const jobs = await checkProcessing(world.ctx, ref, 3)
    expect(jobs.map(({ service, handler, payload }) => [service, handler, payload])).toEqual([
      ['connection', 'renew', { seenAtMs: expect.any(Number) }],
      ['publish', 'check', { ref, round: 4 }],
    ])
    await checkProcessing(world.ctx, ref, 4)
    expect(await world.states(id)).toEqual(['success'])
    await world.close()
  })

  test('it is renewed once, not with every question', async () => {
    const { world, ref } = await publishSlowly(expired, 'refresh')
    const renewed = new Date(Date.now() + 60_000)
    const connections = world.ctx.db.system.updateTable('connection').where('workspace_id', '=', world.workspaceId)
    await connections.set({ token_renewed_at: renewed }).execute()
    expect(await checkProcessing(world.ctx, ref, 3)).toMatchObject([{ handler: 'check', payload: { round: 4 } }])
    await world.close()
  })

  test('a token that cannot be renewed is only tried again', async () => {
    const { world, ref } = await publishSlowly(expired)
    expect(await checkProcessing(world.ctx, ref, 3)).toMatchObject([{ handler: 'check', payload: { round: 4 } }])
    await world.close()
  })
})
