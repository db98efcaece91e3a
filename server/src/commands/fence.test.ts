import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import { openCell, startEngineStub } from '../infra/cell/cell.fixture.ts'
import { fence } from '../infra/cell/cell.store.ts'
import { startWitness } from '../infra/cell/check-witness.ts'
import { liftFence } from './fence-lift.ts'
import { readFenceStatus } from './fence-status.ts'
import { finishWithTimes } from './restore-finish.ts'

let dir: string
let database: TestDatabase
let engine: Awaited<ReturnType<typeof startEngineStub>>
let server: TestServer

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-fence-'))
  database = await startDatabase()
  engine = await startEngineStub()
  server = openCell({ databaseUrl: database.url, mediaDir: dir, engine })
})
afterAll(async () => {
  await server.close()
  await engine.stop()
  await database.stop()
  await rm(dir, { recursive: true, force: true })
})

test('an operator sees the fence, its reason and both witnesses, and lifts it by saying that nothing is lost', async () => {
  const { ctx } = server
  engine.state.isDown = true
  setTimeout(() => (engine.state.isDown = false), 1500)
  // The engine may start later than the worker, which waits for it.
  const witness = await startWitness(ctx)
  const open = await readFenceStatus(ctx.config)
  expect(open).toMatchObject({
    status: 'open',
    epoch: 1,
    reason: null,
    witnesses: { engine: { beat: 1 }, mediaStore: { beat: 1 } },
  })

  await fence(ctx.db.system, 'the database has 3 beats, the witness has 4')
  await witness.beat()
  const fenced = await readFenceStatus(ctx.config)
  expect(fenced).toMatchObject({ status: 'fenced', reason: 'the database has 3 beats, the witness has 4' })
  // Never in the future: the database was seen a moment ago.
  expect(Date.parse(fenced.suggestedLostUntil ?? '')).toBeLessThanOrEqual(Date.now())

  await expect(liftFence(ctx.config, { nothingLost: false })).rejects.toThrow('--nothing-lost')
  expect((await readFenceStatus(ctx.config)).status).toBe('fenced')
  expect(await liftFence(ctx.config, { nothingLost: true })).toEqual({ lifted: true })
  expect((await readFenceStatus(ctx.config)).status).toBe('unchecked')
  await witness.beat()
  expect((await readFenceStatus(ctx.config)).status).toBe('open')
})

test('a witness that cannot be read is shown as such', async () => {
  engine.state.isDown = true
  const { witnesses } = await readFenceStatus(server.ctx.config)
  engine.state.isDown = false
  expect(witnesses).toMatchObject({ engine: { error: expect.stringContaining('503') }, mediaStore: { beat: expect.any(Number) } })
})

test.each(['yesterday', '2026-11-16', '2026-11-16T07:50:00'])('a lost time without an offset is refused: %s', async (text) => {
  const finish = finishWithTimes(server.ctx.config, { lostFrom: text, lostUntil: '2026-11-16T08:00:00Z' })
  await expect(finish).rejects.toThrow('--lost-from must be a time with an offset')
})
