import { isHaproxyInstalled } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPublishingStack, type PublishingStack } from './start-publishing-stack.fixture.ts'

describe.skipIf(!isHaproxyInstalled())('several workers behind a balancer', () => {
  let publishing: PublishingStack
  let connection: string

  beforeAll(async () => {
    publishing = await startPublishingStack({ name: 'pool', workers: 2 })
    connection = (await publishing.stack.connect('bluesky', 'pool')).slug
  }, 180_000)
  afterAll(() => publishing?.stop(), 60_000)

  const once = Array.from({ length: 10 }, () => 1)
  /** Publishes ten posts and returns how often each is on the platform. */
  const publish = async (prefix: string) => {
    const texts = Array.from({ length: 10 }, (_, n) => `${prefix} ${n}`)
    const ids = await Promise.all(texts.map((text) => publishing.createPost(connection, text)))
    const statuses = async () => new Set(await Promise.all(ids.map((id) => publishing.statusOf(id))))
    await expect.poll(statuses, { timeout: 25_000, interval: 200 }).toEqual(new Set(['success']))
    return Promise.all(texts.map((text) => publishing.countPublished('bluesky', text)))
  }

  test('guarantee: whichever worker is killed, the other one publishes', { timeout: 150_000 }, async () => {
    const { workers } = publishing.stack
    expect(workers).toHaveLength(2)
    expect(await publish('both')).toEqual(once)
    for (const [at, worker] of workers.entries()) {
      await worker.kill()
      expect(await publish(`without worker ${at + 1}`)).toEqual(once)
      await worker.restart()
    }
  })

  test('guarantee: stopping the workers one after the other loses nothing', { timeout: 150_000 }, async () => {
    let isDone = false
    const rolling = (async () => {
      for (const worker of publishing.stack.workers) await worker.restart()
      isDone = true
    })()
    for (let round = 0; !isDone; round++) expect(await publish(`rolling ${round}`)).toEqual(once)
    await rolling
  })
})
