import { PlatformError, type Found } from '@carillon/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { sweep } from './dispatch/dispatch.ts'
import { recoverJob, type Inquiry } from './jobs.ts'
import { openPublisher, type TestPublisher } from './publishing.fixture.ts'
import { recoverChannels } from './recover/recover-channel.ts'
import { runOnServers } from './run-on-servers.ts'
import { submitBatch } from './send/submit-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startDatabase()
}, 60_000)
afterAll(() => database.stop())

const lostAnswer = () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' }))
const published: Found = { state: 'published', postId: '7', postUrl: null }

/** What the `recover` handler does with an inquiry. */
const recover = ({ ctx }: TestPublisher, inquiry: Inquiry) =>
  runOnServers(ctx, inquiry.refs, {
    states: ['submitting'],
    job: (refs) => recoverJob({ ...inquiry, refs }),
    work: (refs) => recoverChannels(ctx, { ...inquiry, refs }),
  })

/** Posts on a server that a user chose. Their answers were lost, and the server answers the questions about them when the test says so. */
async function openSlow(count = 1) {
  const questions: ((found: Found) => void)[] = []
  const world = await openPublisher(database, {
    mastodon: {
      submit: lostAnswer,
      find: () => new Promise<Found>((resolve) => void questions.push(resolve)),
      manifest: { handle: 'readback' },
    },
  })
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await world.create(`lost ${n}`))
  const [batch] = await world.claim()
  if (!batch) throw new Error('nothing was claimed')
  const { jobs } = await submitBatch(world.ctx, batch)
  const inquiry = jobs[0]?.payload as Inquiry
  return { world, ids, inquiry, answer: (found: Found) => questions.splice(0).forEach((resolve) => resolve(found)), questions }
}

/** Seconds until the sweep takes the channels of a post for lost. */
async function keptSeconds(world: TestPublisher): Promise<number> {
  const rows = await world.ctx.db.system
    .selectFrom('channel')
    .where('workspace_id', '=', world.workspaceId)
    .select((eb) => eb.fn.max('recover_at').as('at'))
    .execute()
  return ((rows[0]?.at?.getTime() ?? 0) - Date.now()) / 1000
}

test(
  'guarantee: a run ends before a slow server answers, and the answer is stored when it arrives',
  { timeout: 60_000 },
  async () => {
    const { world, ids, inquiry, answer, questions } = await openSlow()
    expect(await recover(world, inquiry)).toEqual([])
    expect(questions).toHaveLength(1)
    expect(await world.states(ids[0] ?? '')).toEqual(['publishing'])
    answer(published)
    await expect.poll(() => world.states(ids[0] ?? ''), { timeout: 30_000 }).toEqual(['success'])
    await world.close()
  },
)

test('guarantee: when the process dies that waits for a server, another one asks it within about a minute', async () => {
  const { world, ids, inquiry } = await openSlow()
  await recover(world, inquiry)
  const seconds = await keptSeconds(world)
  expect(seconds).toBeGreaterThan(20)
  expect(seconds).toBeLessThan(70)
  // The process that asked is gone, and its time has passed.
  const { system } = world.ctx.db
  await system
    .updateTable('channel')
    .where('workspace_id', '=', world.workspaceId)
    .set({ recover_at: new Date(0) })
    .execute()
  const other = await openPublisher(database, { mastodon: { find: async () => published } })
  await sweep(other.ctx)
  const taken = other.jobs.filter(({ payload }) => (payload as Inquiry).refs[0]?.workspaceId === world.workspaceId)
  expect(taken).toMatchObject([{ handler: 'recover' }])
  await recover(other, taken[0]?.payload as Inquiry)
  expect(await world.states(ids[0] ?? '')).toEqual(['success'])
  await other.close()
  await world.close()
})

test('what is asked again later is not taken for lost before that, and the questions stay together', async () => {
  const { world, inquiry, answer, questions } = await openSlow(3)
  const asked = recover(world, { ...inquiry, callEnded: true, round: 2 })
  await expect.poll(() => questions.length, { timeout: 30_000 }).toBe(3)
  answer({ state: 'absent', proof: 'listing' })
  const jobs = [...(await asked), ...world.jobs]
  const one = expect.any(Object) as unknown
  expect(jobs).toMatchObject([{ handler: 'recover', payload: { round: 3, refs: [one, one, one] } }])
  const laterSeconds = (jobs[0]?.delayMs ?? 0) / 1000
  expect(laterSeconds).toBeGreaterThan(10)
  const seconds = await keptSeconds(world)
  expect(seconds).toBeGreaterThan(laterSeconds + 20)
  expect(seconds).toBeLessThan(laterSeconds + 70)
  await world.close()
})

test('nothing is asked about channels that have moved on', async () => {
  const { world, inquiry, questions } = await openSlow()
  await world.ctx.db.system
    .updateTable('channel')
    .where('workspace_id', '=', world.workspaceId)
    .set({ state: 'unconfirmed' })
    .execute()
  expect(await recover(world, inquiry)).toEqual([])
  expect(questions).toEqual([])
  await world.close()
})
