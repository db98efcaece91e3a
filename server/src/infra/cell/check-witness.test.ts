import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, runCommand, startPostgres, type Postgres } from '@carillon/stack/services'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestServer } from '../../../test/open-server.ts'
import { prepareSchema } from '../../../test/prepare-schema.ts'
import { openCell, startEngineStub } from './cell.fixture.ts'
import { cellStatus } from './cell-status.ts'
import { findOpenEpoch, liftFence, readCell } from './cell.store.ts'
import { checkSends, checkWitness, copyWitness, rememberSends } from './check-witness.ts'

let dir: string
let engine: Awaited<ReturnType<typeof startEngineStub>>
let postgres: Postgres
const opened: TestServer[] = []

beforeAll(async () => {
  engine = await startEngineStub()
})
afterAll(() => engine.stop())

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-cell-'))
  Object.assign(engine.state, { value: null, isDown: false, hasWorker: true, armed: [] })
  postgres = await startPostgres({ dir: join(dir, 'pg'), port: await freePort(), fsync: false })
  await prepareSchema(postgres.url)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ close }) => close()))
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A new process: it remembers nothing of what earlier ones saw. */
function openProcess() {
  const server = openCell({ databaseUrl: postgres.url, mediaDir: join(dir, 'media'), engine })
  opened.push(server)
  return server.ctx
}

const data = () => join(dir, 'pg', 'data')
const backup = () => join(dir, 'backup')

/** A copy of the stopped database's folder, as a volume snapshot is. */
async function takeBackup(): Promise<void> {
  await postgres.stop()
  await copyFolder(data(), backup())
  await postgres.restart()
}

async function putBackupBack(): Promise<void> {
  await postgres.stop()
  await rm(data(), { recursive: true })
  await copyFolder(backup(), data())
  await postgres.restart()
}

/** With the owner of the files, which PostgreSQL checks. */
const copyFolder = (from: string, to: string) => runCommand('cp', ['-a', from, to], { cwd: dir })

const ageBeats = (ctx: ReturnType<typeof openProcess>, minutes: number) =>
  sql`update cell set beat_at = now() - make_interval(mins => ${minutes})`.execute(ctx.db.system)

describe('a database that lacks nothing', () => {
  test('is open from the first start on, and through restarts of every part', async () => {
    expect(await checkWitness(openProcess())).toBe('open')
    const seen = JSON.parse(engine.state.value ?? '{}') as Record<string, unknown>
    expect(seen).toMatchObject({ timeline: 1, epoch: 1, beat: 1 })
    await postgres.kill()
    await postgres.restart()
    const ctx = openProcess()
    expect(await checkWitness(ctx)).toBe('open')
    expect(await cellStatus(ctx)).toEqual({ status: 'open', epoch: 1, reason: null })
    expect(await findOpenEpoch(ctx.db.system)).toBe(1)
  })

  test('starts with an engine that knows no worker yet, without a warning that looks like a fault', async () => {
    engine.state.hasWorker = false
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const ctx = { ...openProcess(), log }
    expect(await checkWitness(ctx)).toBe('open')
    expect(lines.map((line) => (JSON.parse(line) as { level: number; err?: unknown }).level)).toEqual([30])
    expect(lines.join('')).not.toContain('stack')
    engine.state.hasWorker = true
    expect(await checkWitness(ctx)).toBe('open')
    expect(JSON.parse(engine.state.value ?? '{}')).toMatchObject({ beat: 2 })
  })

  test('is closed after a restart until it was compared, and knows what this process has sent', async () => {
    const running = openProcess()
    await checkWitness(running)
    await insertChannel(running, 'submitting')
    rememberSends(running, [{ workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }])
    await postgres.kill()
    await postgres.restart()
    expect(await findOpenEpoch(running.db.system)).toBeNull()
    expect(await checkWitness(running)).toBe('open')
    expect(await findOpenEpoch(running.db.system)).toBe(1)
  })

  test('knows every guard that the engine was told of, also those of channels that were sent, tried again or deleted since', async () => {
    const before = openProcess()
    await checkWitness(before)
    await insertChannel(before, 'dispatched')
    await sql`update channel set generation = 2`.execute(before.db.system)
    const send = { workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }
    engine.state.armed = [
      [send],
      [
        { ...send, channelId: 'deleted' },
        { ...send, generation: 9, epoch: 0 },
      ],
    ]
    expect(await checkWitness(openProcess())).toBe('open')
    engine.state.isDown = true
    await postgres.kill()
    await postgres.restart()
    // Whether this one lacks something is not known while the engine does not answer.
    expect(await checkWitness(before)).toBe('undecided')
    engine.state.isDown = false
    expect(await checkWitness(before)).toBe('open')
  })

  test('needs no fence when only the engine’s data are lost, however long ago', async () => {
    const before = openProcess()
    await checkWitness(before)
    await ageBeats(before, 60)
    engine.state.value = null
    expect(await checkWitness(openProcess())).toBe('open')
  })

  test('waits for an answer when the witness cannot be read, and goes on from its own memory afterwards', async () => {
    engine.state.isDown = true
    const ctx = openProcess()
    expect(await checkWitness(ctx)).toBe('undecided')
    expect((await readCell(ctx.db.system)).isOpen).toBe(true)
    engine.state.isDown = false
    expect(await checkWitness(ctx)).toBe('open')
    engine.state.isDown = true
    expect(await checkWitness(ctx)).toBe('open')
  })

  test('failover: a promoted standby with every commit goes on, after a pause for all workers to look', async () => {
    const standby = await startStandby()
    try {
      await checkWitness(openProcess())
      // A fast shutdown sends everything to the standby first.
      await postgres.stop()
      const server = openCell({ databaseUrl: standby.url, mediaDir: join(dir, 'media'), engine })
      opened.push(server)
      await promote(standby.url)
      // The standby inherits that it is open, but nothing may be sent there before it was compared.
      expect(await findOpenEpoch(server.ctx.db.system)).toBeNull()
      expect(await checkWitness(server.ctx)).toBe('undecided')
      expect(await findOpenEpoch(server.ctx.db.system)).toBeNull()
      await expect.poll(() => checkWitness(server.ctx), { timeout: 10_000, interval: 500 }).toBe('open')
      expect(await findOpenEpoch(server.ctx.db.system)).toBe(1)
      expect(JSON.parse(engine.state.value ?? '{}')).toMatchObject({ timeline: 2, epoch: 1 })
      expect(await cellStatus(server.ctx)).toMatchObject({ status: 'open', epoch: 1 })
      await Promise.all(opened.splice(0).map(({ close }) => close()))
    } finally {
      await standby.stop()
    }
  }, 60_000)
})

/** A copy of the database that follows it. */
async function startStandby(): Promise<Postgres> {
  await takeBackup()
  const port = await freePort()
  const standbyDir = join(dir, 'standby')
  await mkdir(standbyDir)
  await copyFolder(backup(), join(standbyDir, 'data'))
  await writeFile(join(standbyDir, 'data', 'standby.signal'), '')
  const conninfo = `host=127.0.0.1 port=${postgres.port} user=postgres`
  await appendFile(join(standbyDir, 'data', 'postgresql.auto.conf'), `\nprimary_conninfo = '${conninfo}'\n`)
  return startPostgres({ dir: standbyDir, port, fsync: false })
}

async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_promote(true, 30)')
  await client.end()
}

async function insertChannel({ db }: ReturnType<typeof openProcess>, state: string): Promise<void> {
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(db.system)
  await sql`
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values ('w1', 'p1', gen_random_uuid(), 'scheduled', 'text', '{}', '[]', now(), now())`.execute(db.system)
  await sql`
    insert into channel
      (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at, generation, needs_stage, warnings)
    values ('w1', 'c1', 'p1', 0, 'k1', 'x-one', 'One', 'x', ${state}, now(), now(), 1, false, '[]')`.execute(db.system)
}

describe('guarantee: a restored database sends nothing before an operator has finished the restore', () => {
  test('the engine remembers', async () => {
    await checkWitness(openProcess())
    await takeBackup()
    await checkWitness(openProcess())
    await putBackupBack()
    await rm(join(dir, 'media'), { recursive: true })
    const ctx = openProcess()
    expect(await checkWitness(ctx)).toBe('fenced')
    expect(await findOpenEpoch(ctx.db.system)).toBeNull()
    expect(await cellStatus(ctx)).toMatchObject({ status: 'fenced', reason: expect.stringContaining('the witness') })
    // It stays so, also for a process that starts later.
    expect(await checkWitness(openProcess())).toBe('fenced')
  })

  test('the engine was emptied: the copy beside the media remembers', async () => {
    await checkWitness(openProcess())
    await takeBackup()
    const before = openProcess()
    await checkWitness(before)
    await copyWitness(before)
    await putBackupBack()
    engine.state.value = null
    expect(await checkWitness(openProcess())).toBe('fenced')
  })

  test('the engine is unreachable and the database is replaced under a running worker: the process remembers', async () => {
    const running = openProcess()
    await checkWitness(running)
    await takeBackup()
    await checkWitness(running)
    await putBackupBack()
    engine.state.isDown = true
    expect(await checkWitness(running)).toBe('fenced')
  })

  test('only a send since the last comparison is lost: the process that sent it remembers', async () => {
    const running = openProcess()
    await checkWitness(running)
    await insertChannel(running, 'dispatched')
    await takeBackup()
    await sql`update channel set state = 'submitting'`.execute(running.db.system)
    rememberSends(running, [{ workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }])
    await putBackupBack()
    expect(await findOpenEpoch(running.db.system)).toBeNull()
    expect(await checkWitness(running)).toBe('fenced')
    expect((await cellStatus(running)).reason).toContain('has just sent')
  })

  test('only a send since the last comparison is lost, and the process that sent it too: the engine knows of the guard', async () => {
    const before = openProcess()
    await checkWitness(before)
    await insertChannel(before, 'dispatched')
    await takeBackup()
    await sql`update channel set state = 'submitting'`.execute(before.db.system)
    engine.state.armed = [[], [{ workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }]]
    await putBackupBack()
    expect(await checkWitness(openProcess())).toBe('fenced')
    expect((await cellStatus(openProcess())).reason).toContain('has just sent')
  })

  test('a run that goes on in another process finds that its guard is lost', async () => {
    const ctx = openProcess()
    await checkWitness(ctx)
    await insertChannel(ctx, 'submitting')
    const send = { workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }
    await checkSends(ctx, [send, { ...send, channelId: 'not here any more' }])
    expect((await cellStatus(ctx)).status).toBe('open')
    await sql`update channel set state = 'dispatched'`.execute(ctx.db.system)
    await checkSends(ctx, [{ ...send, epoch: 0 }])
    expect((await cellStatus(ctx)).status).toBe('open')
    await checkSends(ctx, [send])
    expect((await cellStatus(ctx)).status).toBe('fenced')
  })

  test('written to beyond the old position before the first check', async () => {
    await checkWitness(openProcess())
    await takeBackup()
    await checkWitness(openProcess())
    await putBackupBack()
    const ctx = openProcess()
    for (let n = 0; n < 5; n++) await sql`select pg_logical_emit_message(true, 'x', repeat('x', 1000000))`.execute(ctx.db.system)
    expect(await checkWitness(ctx)).toBe('fenced')
    expect((await cellStatus(ctx)).reason).toContain('beats')
  })

  test('no witness at all, and no worker for an hour: an operator is asked', async () => {
    const before = openProcess()
    await checkWitness(before)
    await ageBeats(before, 60)
    engine.state.value = null
    await rm(join(dir, 'media'), { recursive: true })
    const ctx = openProcess()
    expect(await checkWitness(ctx)).toBe('fenced')
    expect((await cellStatus(ctx)).reason).toContain('no witness')

    const epoch = await ctx.db.system.transaction().execute(liftFence)
    expect(await cellStatus(ctx)).toEqual({ status: 'unchecked', epoch, reason: null })
    expect(await checkWitness(ctx)).toBe('open')
    expect(await findOpenEpoch(ctx.db.system)).toBe(epoch)
  })

  test('restored twice from the same backup: each acceptance is another epoch', async () => {
    await checkWitness(openProcess())
    await takeBackup()
    const epochs = []
    for (let n = 0; n < 2; n++) {
      await checkWitness(openProcess())
      await putBackupBack()
      // An epoch is made from the second in which it is opened; restoring a real database takes longer than that.
      await sleep(1100)
      const ctx = openProcess()
      expect(await checkWitness(ctx)).toBe('fenced')
      epochs.push(await ctx.db.system.transaction().execute(liftFence))
      expect(await checkWitness(ctx)).toBe('open')
      expect(await checkWitness(openProcess())).toBe('open')
    }
    expect(new Set(epochs).size).toBe(2)
  })

  test('nothing is sent between the restore and the first check, because the last check is too old', async () => {
    const ctx = openProcess()
    await checkWitness(ctx)
    await sql`update cell set open_until = now() - interval '1 second'`.execute(ctx.db.system)
    expect(await findOpenEpoch(ctx.db.system)).toBeNull()
    expect((await cellStatus(ctx)).status).toBe('unchecked')
  })
})
