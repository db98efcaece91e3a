import { expect, test } from 'vitest'
import {
  callSimulator,
  carillon,
  findPlatformPosts,
  testStack,
  textConnections,
  timeAfter,
  uniqueText,
  waitUntilFinished,
  x,
} from '../test-stack.ts'

test('one request publishes on every platform, once, and returns the URL of each post', async () => {
  const text = uniqueText('hello everyone')
  const made = await carillon.content.createText({ connections: textConnections, text })
  const post = await waitUntilFinished(made.uploadId)
  expect(post.status).toBe('completed')
  expect(post.channels.map(({ result }) => result.status)).toEqual(['success', 'success', 'success', 'success'])
  for (const { result } of post.channels) {
    // The address of a simulated post opens its page in the simulator, and not the real platform.
    expect(result.postUrl).toContain(testStack.simulatorUrl)
    const page = await fetch(result.postUrl ?? '')
    expect([page.status, (await page.text()).includes(text)]).toEqual([200, true])
  }
  const seen = await findPlatformPosts(text)
  expect(seen.map(({ platform }) => platform).toSorted()).toEqual(['bluesky', 'mastodon', 'threads', 'x'])
})

test('an asynchronous create answers with a requestId, with which the result can be read', async () => {
  const text = uniqueText('async')
  const made = await carillon.content.createText({ connections: textConnections.slice(0, 2), text, async: true })
  expect(made).toMatchObject({ totalChannels: 2, scheduledAt: null })
  expect(await carillon.content.waitUntilFinished(made.requestId)).toMatchObject({ status: 'completed' })
})

test('a scheduled post is published at its time, never before', async () => {
  const text = uniqueText('on time')
  const scheduledAt = timeAfter(4000)
  const made = await carillon.content.createText({ connections: textConnections, text, scheduledAt })
  expect(await carillon.content.status(made.uploadId)).toMatchObject({ status: 'scheduled' })
  await waitUntilFinished(made.uploadId)
  const seen = await findPlatformPosts(text)
  expect(seen).toHaveLength(4)
  for (const { atMs } of seen) expect(atMs).toBeGreaterThanOrEqual(Date.parse(scheduledAt))
})

test('each connection can have its own text', async () => {
  const [first = '', second = ''] = textConnections
  const [common, own] = [uniqueText('common'), uniqueText('own')]
  const made = await carillon.content.createText({
    connections: [first, second],
    text: common,
    platformOptions: { [second]: { text: own } },
  })
  await waitUntilFinished(made.uploadId)
  expect((await findPlatformPosts(common)).map(({ platform }) => platform)).toEqual(['bluesky'])
  expect((await findPlatformPosts(own)).map(({ platform }) => platform)).toEqual(['mastodon'])
})

test('a first comment is published as a reply to the post, on every platform', async () => {
  const [text, comment] = [uniqueText('with a comment'), uniqueText('first')]
  const made = await carillon.content.createText({ connections: textConnections, text, firstComment: comment })
  await waitUntilFinished(made.uploadId)
  await expect.poll(async () => (await findPlatformPosts(comment)).length, { timeout: 15_000 }).toBe(4)
  for (const reply of await findPlatformPosts(comment)) expect(reply.replyTo).not.toBeNull()
})

test('if the answer is lost after the platform published, the post is found there and not sent twice', async () => {
  const text = uniqueText('dropped reply')
  const fault = await callSimulator('POST', 'faults', { operation: 'submit', times: 4, fault: { kind: 'drop_after' } })
  const made = await carillon.content.createText({ connections: textConnections, text })
  // A container that the platform calls unpublished is published again only when no process can still be publishing it.
  const post = await waitUntilFinished(made.uploadId, 120_000)
  await callSimulator('DELETE', `faults/${fault.id}`)
  expect(post.status).toBe('completed')
  expect(await findPlatformPosts(text)).toHaveLength(4)
})

test(
  'a request that is lost before the platform received it is repeated only where that is safe',
  { timeout: 150_000 },
  async () => {
    const text = uniqueText('lost request')
    const fault = await callSimulator('POST', 'faults', { operation: 'submit', times: 4, fault: { kind: 'drop_before' } })
    const made = await carillon.content.createText({ connections: textConnections, text })
    // A container that the platform calls unpublished is published again only when no process can still be publishing it.
    const post = await waitUntilFinished(made.uploadId, 120_000)
    await callSimulator('DELETE', `faults/${fault.id}`)
    const byConnection = Object.fromEntries(post.channels.map(({ connection, result }) => [connection, result.status]))
    expect(byConnection[x]).toBe('unconfirmed')
    expect(post.status).toBe('partial_failure')
    expect((await findPlatformPosts(text)).map(({ platform }) => platform).toSorted()).toEqual(['bluesky', 'mastodon', 'threads'])
  },
)

test('a rate limit of a platform is respected, and the post is published afterwards', async () => {
  const text = uniqueText('rate limited')
  const [, mastodon = ''] = textConnections
  await callSimulator('POST', 'faults', {
    platform: 'mastodon',
    operation: 'submit',
    times: 1,
    fault: { kind: 'status', status: 429, retryAfterSeconds: 3 },
  })
  const startedMs = Date.now()
  const post = await waitUntilFinished((await carillon.content.createText({ connections: [mastodon], text })).uploadId)
  expect(post.status).toBe('completed')
  expect(post.channels[0]?.result.attempts).toBe(2)
  expect(Date.now() - startedMs).toBeGreaterThan(2500)
})

test('an expired token is renewed once for concurrent posts, and all of them are published', async () => {
  const texts = Array.from({ length: 10 }, () => uniqueText('expired token'))
  await callSimulator('POST', 'tokens/expire', { platform: 'bluesky', handle: 'demo' })
  await callSimulator('DELETE', 'calls')
  const [bluesky = ''] = textConnections
  const made = await Promise.all(texts.map((text) => carillon.content.createText({ connections: [bluesky], text })))
  for (const { uploadId } of made) expect((await waitUntilFinished(uploadId)).status).toBe('completed')
  const response = await fetch(`${testStack.simulatorUrl}/_control/calls?platform=bluesky&operation=token`)
  expect(await response.json()).toMatchObject({ total: 1 })
})

test('a permanent rejection by the platform fails with a reason and an action, and a retry sends only that channel', async () => {
  const text = uniqueText('refused')
  const [first = ''] = textConnections
  const made = await carillon.content.createText({ connections: [first, testStack.failConnection], text })
  const post = await waitUntilFinished(made.uploadId)
  expect(post.status).toBe('partial_failure')
  expect(post.channels[1]?.result.error).toMatchObject({ code: 'content_rejected', action: 'fix_request', retryable: false })
  await carillon.content.retry(made.uploadId)
  const again = await waitUntilFinished(made.uploadId)
  expect(again.channels[1]?.result.attempts).toBe(2)
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

test('a channel whose outcome cannot be read is unconfirmed until a person resolves it', async () => {
  const made = await carillon.content.createText({
    connections: [testStack.unconfirmedConnection],
    text: uniqueText('who knows'),
  })
  const post = await waitUntilFinished(made.uploadId)
  const [channel] = post.channels
  expect(channel?.result).toMatchObject({ status: 'unconfirmed', error: { code: 'outcome_unknown', action: 'check_platform' } })
  await expect(carillon.content.retry(made.uploadId)).rejects.toMatchObject({ code: 'nothing_to_retry' })
  const resolved = await carillon.content.resolve(made.uploadId, channel?.id ?? '', {
    outcome: 'published',
    postUrl: 'https://example.com/found',
  })
  expect(resolved).toMatchObject({ status: 'completed' })
})
