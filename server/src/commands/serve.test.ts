import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCarillon, type Carillon } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPublishingStack, type PublishingStack } from './start-publishing-stack.fixture.ts'

let publishing: PublishingStack
let connection: string
let db: pg.Pool

beforeAll(async () => {
  publishing = await startPublishingStack({ name: 'serve' })
  connection = (await publishing.stack.connect('linkedin', 'slow')).slug
  db = new pg.Pool({ connectionString: publishing.stack.info.databaseUrl, max: 2 })
  // Its connections may be closed by the end of PostgreSQL before they have ended by themselves.
  db.on('error', () => {})
}, 300_000)

afterAll(async () => {
  await db?.end()
  await publishing?.stop()
}, 60_000)

function server(role: 'api' | 'worker'): Carillon {
  const found = publishing.stack.servers[role]
  if (!found) throw new Error(`the stack has no ${role}`)
  return found
}

const checkHealth = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** LinkedIn cannot be asked about a post, so a send whose answer is lost would stay unconfirmed for good. */
async function beginSlowSend(text: string, delayMs: number): Promise<string> {
  await publishing.addDelay('linkedin', 'slow', delayMs)
  const id = await publishing.createPost(connection, text)
  await expect.poll(() => publishing.countPublished('linkedin', text), { timeout: 20_000 }).toBe(1)
  return id
}

test('every role answers the three health checks on its private port', async () => {
  for (const role of ['api', 'worker'] as const) {
    const { healthUrl } = server(role)
    expect(await checkHealth(`${healthUrl}/live`)).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await checkHealth(`${healthUrl}/accepting`)).toEqual({ status: 200, body: { status: 'accepting', problems: [] } })
    expect(await checkHealth(`${healthUrl}/ready`)).toMatchObject({ status: 200, body: { status: 'ready', problems: [] } })
    expect((await fetch(`${healthUrl}/other`)).status).toBe(404)
  }
})

test(
  'guarantee: a send in flight when a worker is stopped ends as success, not as unconfirmed',
  { timeout: 90_000 },
  async () => {
    const id = await beginSlowSend('in flight at SIGTERM', 6_000)
    const worker = server('worker')
    const stopping = worker.stop()
    // While the worker waits for the send, it reports that it takes no further work.
    await sleep(500)
    expect(worker.isAlive()).toBe(true)
    expect(await checkHealth(`${worker.healthUrl}/accepting`)).toMatchObject({
      status: 503,
      body: { problems: ['This process is stopping.'] },
    })
    await stopping
    await worker.restart()
    expect(await publishing.statusOf(id)).toBe('success')
    expect(await publishing.countPublished('linkedin', 'in flight at SIGTERM')).toBe(1)
  },
)

test('guarantee: a second stop signal ends the process at once', { timeout: 60_000 }, async () => {
  await beginSlowSend('second signal', 20_000)
  const worker = server('worker')
  process.kill(worker.pid, 'SIGTERM')
  await sleep(1000)
  expect(worker.isAlive()).toBe(true)
  process.kill(worker.pid, 'SIGTERM')
  await expect.poll(() => worker.isAlive(), { timeout: 2000 }).toBe(false)
  await worker.restart()
})

test('guarantee: every create that was stored while the API stopped was also answered', { timeout: 60_000 }, async () => {
  const api = server('api')
  const texts = Array.from({ length: 40 }, (_, n) => `create ${n} at SIGTERM`)
  const creating = Promise.allSettled(texts.map((text) => publishing.createPost(connection, text, 3_600_000)))
  const readStored = async () =>
    (await db.query<{ text: string }>(`select text from post where text like 'create % at SIGTERM' order by text`)).rows
  await expect.poll(async () => (await readStored()).length, { timeout: 10_000, interval: 2 }).toBeGreaterThan(0)
  process.kill(api.pid, 'SIGTERM')
  const results = await creating
  await expect.poll(() => api.isAlive(), { timeout: 10_000 }).toBe(false)
  const answered = texts.filter((_text, at) => results[at]?.status === 'fulfilled')
  expect((await readStored()).map(({ text }) => text).toSorted()).toEqual(answered.toSorted())
  await api.restart()
})

test(
  'guarantee: after the engine lost its data, posts due later and posts already enqueued go out',
  { timeout: 120_000 },
  async () => {
    const { restate, info } = publishing.stack
    const { slug } = await publishing.stack.connect('bluesky', 'engine-loss')
    const enqueued = await publishing.createPost(slug, 'enqueued before the loss', 20_000)
    const states = async () =>
      (await db.query(`select 1 from channel where state = 'dispatched' and recover_at > now() + interval '1 minute'`)).rowCount
    await expect.poll(states, { timeout: 10_000 }).toBe(1)
    await restate.kill()
    await rm(join(info.dir, 'restate', 'data'), { recursive: true })
    await restate.restart()
    const restartedMs = Date.now()
    const later = await publishing.createPost(slug, 'created after the loss', 5_000)
    const statuses = async () => [await publishing.statusOf(enqueued), await publishing.statusOf(later)]
    await expect.poll(statuses, { timeout: 45_000, interval: 200 }).toEqual(['success', 'success'])
    expect(Date.now() - restartedMs).toBeLessThan(30_000)
    for (const text of ['enqueued before the loss', 'created after the loss'])
      expect(await publishing.countPublished('bluesky', text)).toBe(1)
  },
)

test('guarantee: with a wrong secret key nothing starts, and the message says what to do', { timeout: 120_000 }, async () => {
  const env = (id: string) => ({
    DATABASE_URL: publishing.stack.info.databaseUrl,
    CARILLON_SECRET_KEYS: `${id}:${Buffer.alloc(32, 9).toString('base64')}`,
  })
  await Promise.all([
    expect(runCarillon(['serve', '--role', 'worker'], { env: env('k1') })).rejects.toThrow(
      'The key "k1" in CARILLON_SECRET_KEYS is not the one',
    ),
    expect(runCarillon(['connect', '--workspace', 'w'], { env: env('k2'), input: '[]' })).rejects.toThrow(
      'encrypted with the key "k1", but CARILLON_SECRET_KEYS does not contain it',
    ),
  ])
})
