import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCarillon, type Carillon } from '@carillon/sdk'
import type { PostView } from '@carillon/simulator'
import { upStack, type Stack } from '@carillon/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordDrill } from '../support/record-drill.ts'

// Guarantee: the posts of a thread go out once and in order, also if the worker is killed at every one of them.

/** `pnpm nightly` kills at each of twelve posts. A lost answer takes a minute to be recovered, so every commit has fewer. */
const isWhole = Number(process.env['CARILLON_TEST_KILLS'] ?? '10') >= 200
const partCount = isWhole ? 12 : 4
const platforms = ['bluesky', 'mastodon', 'threads', 'x']
const dir = join(tmpdir(), `carillon-thread-kills-${process.pid}`)

let stack: Stack
beforeAll(async () => {
  // Most of a start is compiling.
  const env = { NODE_COMPILE_CACHE: join(dir, 'compile-cache') }
  stack = await upStack({ dir, fsync: false, roles: ['api', 'worker'], env })
  // The cache is written when a process ends by itself.
  await stack.servers.worker?.restart()
})
afterAll(async () => {
  await stack?.stop()
  await rm(dir, { recursive: true, force: true })
})

test(`a thread of ${partCount} posts, with a kill at every post`, { timeout: partCount * 180_000 }, async () => {
  const beganMs = Date.now()
  const { info, servers } = stack
  const { worker } = servers
  if (!worker) throw new Error('the stack has no worker')
  const { baseUrl, apiKey, workspaceId } = info
  const carillon = createCarillon({ baseUrl, apiKey, workspaceId })
  const connections = await Promise.all(platforms.map(async (platform) => (await stack.connect(platform, 'thread')).slug))
  const texts = Array.from({ length: partCount }, (_, index) => `The bells ring, ${index + 1} of ${partCount} ${process.pid}`)
  const [text = '', ...rest] = texts
  const find = async (): Promise<PostView[]> => {
    const found = texts.map(async (each) => {
      const response = await fetch(`${info.simulatorUrl}/_control/posts?text=${encodeURIComponent(each)}`)
      return (await response.json()) as PostView[]
    })
    return (await Promise.all(found)).flat()
  }
  const { uploadId } = await carillon.content.createText({ connections, text, thread: rest.map((each) => ({ text: each })) })
  let kills = 0
  let seen = 0
  /** The newest post of a platform when the worker was killed: the answer about it was on its way, or was being stored. */
  const interrupted = new Set<string>()
  const isFinished = async () =>
    ['completed', 'partial_failure', 'failed'].includes((await carillon.content.get(uploadId)).status)
  while (!(await isFinished())) {
    const posts = await find()
    if (posts.length === seen) {
      await sleep(50)
      continue
    }
    seen = posts.length
    for (const platform of platforms) interrupted.add(`${platform} ${posts.filter((each) => each.platform === platform).length}`)
    // While the answers of the platforms are on their way, or while they are stored.
    await sleep(Math.random() * 200)
    await worker.kill()
    await worker.restart()
    kills++
  }
  const doubtful = await endDoubts(carillon, uploadId, find)
  const post = await carillon.content.get(uploadId)
  const hits = [...interrupted].filter((each) => !each.endsWith(' 0'))
  const figures = {
    parts: partCount,
    kills,
    interrupted: hits.length,
    doubtful,
    seconds: Math.round((Date.now() - beganMs) / 1000),
    status: post.status,
  }
  console.log(JSON.stringify(figures))
  if (isWhole) await recordDrill('threads while their worker is killed', beganMs, figures)
  const posts = await find()
  for (const { platform, result } of post.channels) {
    const own = posts.filter((each) => each.platform === platform).toSorted((a, b) => a.atMs - b.atMs)
    expect([platform, own.map((each) => each.text)]).toEqual([platform, texts])
    expect(own.map(({ replyTo }) => replyTo)).toEqual([null, ...own.slice(0, -1).map(({ id }) => id)])
    expect([platform, result.status, result.parts?.map(({ postId }) => postId)]).toEqual([
      platform,
      'success',
      own.map(({ id }) => id),
    ])
  }
  // Of each post of the thread at least one platform had just taken its copy when the worker was killed.
  const places = new Set(hits.map((each) => Number(each.split(' ')[1])))
  expect([...places].toSorted((a, b) => a - b)).toEqual(texts.map((_, index) => index + 1))
})

/**
 * A worker that is killed after the guard and before the call leaves nothing by which anybody could tell, and says so. A person looks at the
 * platform then, and sends the rest. Returns for how many channels that was needed.
 */
async function endDoubts(carillon: Carillon, uploadId: string, find: () => Promise<PostView[]>): Promise<number> {
  const { channels } = await carillon.content.get(uploadId)
  const doubtful = channels.filter(({ result }) => result.status === 'unconfirmed')
  if (doubtful.length === 0) return 0
  // The others know a repeat, or can say for certain that there is no post.
  expect(doubtful.map(({ platform }) => platform)).toEqual(['x'])
  const posts = await find()
  for (const { id, platform, result } of doubtful) {
    const confirmed = (result.parts ?? []).filter(({ postId }) => postId !== null)
    // What is there although nobody was told of it would be sent twice.
    expect([platform, posts.filter((each) => each.platform === platform).length]).toEqual([platform, confirmed.length])
    await carillon.content.resolve(uploadId, id, { outcome: 'not_published' })
  }
  await carillon.content.retry(uploadId)
  await carillon.content.waitUntilFinished(uploadId)
  return doubtful.length
}
