import { expect, test } from 'vitest'
import {
  bluesky,
  callSimulator,
  carillon,
  findPlatformPosts,
  otherTenant,
  testStack,
  textConnections,
  uniqueText,
  waitUntilFinished,
} from '../test-stack.ts'

const today = () => new Date().toISOString().slice(0, 10)

/** Polls the figures of a post's published channels. */
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

/** Guarantee: figures come from the platforms. Until they arrive, `collectedAt` is null, so that the zeros are not taken for figures. */
test('a sync brings the figures of every platform', async () => {
  const firstComment = uniqueText('counts as one')
  const { uploadId } = await carillon.content.createText({
    connections: textConnections,
    text: uniqueText('measure me'),
    firstComment,
  })
  await waitUntilFinished(uploadId)
  // The comment is sent after the post, and figures that are read before it would not include it.
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

test('a failed channel is counted and has an error message', async () => {
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

/** Guarantee: two sync requests do not send two requests to the platforms. */
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

test('another workspace cannot read the figures', async () => {
  const { uploadId } = await carillon.content.createText({ connections: [bluesky], text: uniqueText('mine alone') })
  await waitUntilFinished(uploadId)
  await expect(otherTenant.analytics.post(uploadId)).rejects.toMatchObject({ status: 404, code: 'post_not_found' })
  expect(await otherTenant.analytics.export()).not.toContain(uploadId)
})

/** Starts a sync of every connection, after earlier ones have ended. */
async function syncAll(): Promise<number> {
  let enqueued = 0
  await expect
    .poll(async () => (enqueued = (await carillon.analytics.sync()).enqueued), { timeout: 40_000, interval: 7000 })
    .toBeGreaterThanOrEqual(textConnections.length)
  return enqueued
}
