import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRestoreStack } from './restore-stack.ts'

// Guarantee: after the database was restored from a backup, no post is published twice, and none is reported as failed that is live.

const platforms = ['bluesky', 'linkedin', 'mastodon', 'threads', 'x']
/** At the time of the backup the first post is already in the engine's hands, and the second still waits in the schedule. */
const texts = { claimed: 'drill: claimed before the backup', waiting: 'drill: waiting at the backup' }
const dueInMs = { claimed: 60_000, waiting: 135_000 }
const quietMs = 15_000

let stack: Awaited<ReturnType<typeof startRestoreStack>>
let connections: string[]
let backupAt: Date
const ids = { claimed: '', waiting: '' }

async function create(text: string, scheduledAt?: string): Promise<string> {
  const made = await stack.carillon.content.createText({ connections, text, ...(scheduledAt && { scheduledAt }) })
  return made.uploadId
}

/** How often each platform shows the text. */
async function countPosts(text: string): Promise<Record<string, number>> {
  const posts = await stack.platformPosts(text)
  return Object.fromEntries(platforms.map((platform) => [platform, posts.filter((post) => post.platform === platform).length]))
}

const once = Object.fromEntries(platforms.map((platform) => [platform, 1]))

async function statusesOf(id: string): Promise<string[]> {
  const { channels } = await stack.carillon.content.get(id)
  return channels.map(({ result }) => result.status)
}

/** What must hold at any time after the restore. */
async function expectOnce(): Promise<void> {
  for (const text of Object.values(texts)) expect(await countPosts(text)).toEqual(once)
  const statuses = (await Promise.all(Object.values(ids).map(statusesOf))).flat()
  expect(statuses.filter((status) => status !== 'success' && status !== 'unconfirmed')).toEqual([])
}

beforeAll(async () => {
  stack = await startRestoreStack()
  connections = platforms.map((platform) => stack.info.connections.find((slug) => slug.startsWith(`${platform}-`)) ?? '')
  const startMs = Date.now()
  for (const name of ['claimed', 'waiting'] as const) {
    ids[name] = await create(texts[name], new Date(startMs + dueInMs[name]).toISOString())
  }
  // The claim is a matter of half a second; the backup must have it.
  await sleep(3000)
  backupAt = await stack.takeBackup()
  for (const name of ['claimed', 'waiting'] as const) {
    const isOut = async () => (await statusesOf(ids[name])).every((status) => status === 'success')
    await waitUntil(isOut, { what: `the post "${texts[name]}" to be published`, withinMs: dueInMs[name] + 60_000, everyMs: 1000 })
  }
  for (const text of Object.values(texts)) expect(await countPosts(text)).toEqual(once)
})
afterAll(() => stack.stop())

describe.each([
  ['the engine is kept', async () => {}],
  ['the engine is emptied', () => stack.emptyEngine()],
])('the database is set back to before the due times, and %s', (_name, prepareEngine) => {
  let until = ''

  test('the fence is reported, and nothing is sent', async () => {
    await stack.killAll()
    await stack.putBackupBack()
    await prepareEngine()
    await stack.startAll()
    const fenced = { status: 503, text: expect.stringContaining('fenced') }
    await expect.poll(() => stack.readiness(), { timeout: 40_000, interval: 500 }).toMatchObject(fenced)
    await sleep(quietMs)
    for (const text of Object.values(texts)) expect(await countPosts(text)).toEqual(once)
    const status = await stack.fenceStatus()
    expect(status).toMatchObject({ status: 'fenced', suggestedLostUntil: expect.any(String) })
    until = status.suggestedLostUntil ?? ''
  })

  test('finished, every channel is a success or unconfirmed, and every platform has one post', async () => {
    const finished = await stack.finishRestore(backupAt.toISOString(), until)
    expect(finished).toMatchObject({ wasFinished: false, doubtedChannels: 2 * platforms.length })
    await stack.waitUntilReady()
    await expectOnce()
    // The platforms that can be asked find the posts. LinkedIn cannot be asked, so its channels stay unconfirmed.
    const isAsked = async () => (await statusesOf(ids.waiting)).filter((status) => status === 'success').length >= 3
    await waitUntil(isAsked, { what: 'the platforms to be asked', withinMs: 120_000, everyMs: 1000 })
    await sleep(quietMs)
    await expectOnce()
  })

  test('run again, the command changes nothing', async () => {
    expect(await stack.finishRestore(backupAt.toISOString(), until)).toMatchObject({ wasFinished: true, doubtedChannels: 0 })
    expect(await stack.fenceStatus()).toMatchObject({ status: 'open' })
  })

  test('the service publishes again', async () => {
    const text = `drill: after the restore ${_name}`
    const id = await create(text)
    await stack.carillon.content.waitUntilFinished(id, { timeoutMs: 60_000 })
    expect(await countPosts(text)).toEqual(once)
  })
})

describe('only the engine’s data are lost', () => {
  test('there is no fence, and posts go on', async () => {
    const { epoch } = await stack.fenceStatus()
    await stack.killAll()
    await stack.emptyEngine()
    await stack.startAll()
    await stack.waitUntilReady()
    expect(await stack.fenceStatus()).toMatchObject({ status: 'open', epoch })
    const id = await create('drill: a new engine')
    await stack.carillon.content.waitUntilFinished(id, { timeoutMs: 60_000 })
    expect(await countPosts('drill: a new engine')).toEqual(once)
    await expectOnce()
  })
})
