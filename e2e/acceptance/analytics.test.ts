import { expect, test } from 'vitest'
import {
  bluesky,
  carillon,
  callSimulator,
  waitUntilFinished,
  findPlatformPosts,
  otherTenant,
  textConnections,
  uniqueText,
  testStack,
} from '../test-stack.ts'

const today = () => new Date().toISOString().slice(0, 10)

/** The figures of a post once every published channel has some. */
function collected(uploadId: string) {
  return expect.poll(
    async () => {
      const { platforms } = await carillon.analytics.post(uploadId)
      return platforms
        .filter(({ status }) => status === 'success')
        .map(({ platform, collectedAt, engagement }) => ({
          platform,
          isKnown: collectedAt !== null,
          comments: engagement.comments,
        }))
    },
    { timeout: 30_000, interval: 250 },
  )
}

/** Guarantee: figures come from the platforms, and before they do nobody takes the zeros for one. */
test('a sync brings the figures of every platform', async () => {
  const firstComment = uniqueText('counts as one')
  const { uploadId } = await carillon.content.createText({
    connections: textConnections,
    text: uniqueText('measure me'),
    firstComment,
  })
  await waitUntilFinished(uploadId)
  // The comment follows the post; figures asked for before it would be true, and without it.
  await expect.poll(async () => (await findPlatformPosts(firstComment)).length, { timeout: 20_000 }).toBe(textConnections.length)
  const before = await carillon.analytics.post(uploadId)
  expect(before.platforms.map(({ collectedAt, engagement }) => [collectedAt, engagement.comments])).toEqual(
    textConnections.map(() => [null, 0]),
  )
  await syncAll()
  await collected(uploadId).toEqual(textConnections.map((slug) => ({ platform: slug.split('-')[0], isKnown: true, comments: 1 })))

  const { summary, snapshots } = await carillon.analytics.overview({ from: today(), to: today() })
  expect(snapshots).toHaveLength(1)
  expect(snapshots[0]).toMatchObject({ date: today(), published: summary.totalPublished, comments: summary.totalComments })
  expect(summary.totalComments).toBeGreaterThanOrEqual(textConnections.length)

  const lines = (await carillon.analytics.export({ from: today(), to: today() })).split('\r\n')
  expect(lines.filter((line) => line.startsWith(`${today()},${uploadId},`))).toHaveLength(textConnections.length)
})

test('what failed is counted and explained', async () => {
  const before = await carillon.analytics.overview()
  const { uploadId } = await carillon.content.createText({
    connections: [bluesky, testStack.failConnection],
    text: uniqueText('half of it'),
    title: '=1+1',
  })
  await waitUntilFinished(uploadId)
  const { platforms } = await carillon.analytics.post(uploadId)
  expect(platforms.map(({ status, error }) => [status, error === null])).toEqual([
    ['success', true],
    ['failed', false],
  ])
  const { summary } = await carillon.analytics.overview()
  expect(summary.totalPublished - before.summary.totalPublished).toBeGreaterThanOrEqual(2)
  expect(summary.totalFailed).toBeGreaterThan(before.summary.totalFailed)
  expect(summary.successRate).toBe(Math.round((summary.totalSucceeded / summary.totalPublished) * 10_000) / 100)
  const failed = (await carillon.analytics.export())
    .split('\r\n')
    .find((line) => line.includes(uploadId) && line.includes(testStack.failConnection))
  expect(failed).toContain(",'=1+1,failed,")
})

/** Guarantee: who asks twice does not make the platforms be asked twice. */
test('a second sync while one runs does not start it again', async () => {
  const fault = await callSimulator('POST', 'faults', {
    platform: 'bluesky',
    operation: 'metrics',
    fault: { kind: 'delay', ms: 5000 },
  })
  try {
    const all = await syncAll()
    expect((await carillon.analytics.sync()).enqueued).toBeLessThan(all)
  } finally {
    await callSimulator('DELETE', `faults/${fault.id}`)
  }
  await syncAll()
})

test('others see nothing of it', async () => {
  const { uploadId } = await carillon.content.createText({ connections: [bluesky], text: uniqueText('mine alone') })
  await waitUntilFinished(uploadId)
  await expect(otherTenant.analytics.post(uploadId)).rejects.toMatchObject({ status: 404, code: 'post_not_found' })
  expect(await otherTenant.analytics.export()).not.toContain(uploadId)
})

/** Starts a sync of every connection, once no earlier one is under way. */
async function syncAll(): Promise<number> {
  let enqueued = 0
  await expect
    .poll(async () => (enqueued = (await carillon.analytics.sync()).enqueued), { timeout: 40_000, interval: 7000 })
    .toBeGreaterThanOrEqual(textConnections.length)
  return enqueued
}
