import { expect, test } from 'vitest'
import { verifyWebhook } from '@carillon/sdk'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { bluesky, carillon, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const receiver = useWebhookReceiver()

test('a finished post is sent to its webhook with a signature, and the delivery is in the log', async () => {
  const hook = await carillon.webhooks.create({ url: receiver.url('/done'), events: ['upload.completed'] })
  const { uploadId } = await carillon.content.createText({ connections: [bluesky], text: uniqueText('tell me') })
  const received = await receiver.waitFor('/done', (body) => body.includes(uploadId))
  const event = await verifyWebhook({ body: received.body, headers: received.headers, secret: String(hook.secret) })
  expect(event).toMatchObject({ event: 'upload.completed', data: { uploadId, status: 'completed' } })
  await expect
    .poll(async () => (await carillon.webhooks.deliveries(hook.id))[0])
    .toMatchObject({ status: 'delivered', statusCode: 200, attempts: 1 })
  await carillon.webhooks.remove(hook.id)
})

test('a failed delivery is sent again with the same id; redelivery and a new secret work', async () => {
  receiver.setStatus('/flaky', (nth) => (nth === 1 ? 500 : 200))
  const hook = await carillon.webhooks.create({ url: receiver.url('/flaky'), events: ['upload.failed'] })
  const tested = await carillon.webhooks.test(hook.id)
  await receiver.waitFor('/flaky', (body) => body.includes(tested.id))
  const second = await receiver.waitFor('/flaky', (_body, nth) => nth === 2, 20_000)
  expect(second.headers['x-webhook-delivery']).toBe(tested.id)

  const secret = String((await carillon.webhooks.rotateSecret(hook.id)).secret)
  await carillon.webhooks.redeliver(hook.id, tested.id)
  const third = await receiver.waitFor('/flaky', (_body, nth) => nth === 3)
  await expect(verifyWebhook({ body: third.body, headers: third.headers, secret })).resolves.toMatchObject({
    event: 'webhook.test',
  })
  await carillon.webhooks.remove(hook.id)
})

test('every kind of event reaches the webhook that subscribed to it', async () => {
  const hook = await carillon.webhooks.create({
    url: receiver.url('/all'),
    events: ['upload.scheduled', 'upload.publishing', 'upload.partial_failure', 'channel.published', 'channel.failed'],
  })
  const scheduledAt = new Date(Date.now() + 1500).toISOString()
  const { uploadId } = await carillon.content.createText({
    connections: [bluesky, testStack.failConnection],
    text: uniqueText('all events'),
    scheduledAt,
  })
  await waitUntilFinished(uploadId)
  await expect
    .poll(() => [...new Set(receiver.received('/all').map(({ headers }) => headers['x-webhook-event']))].toSorted(), {
      timeout: 15_000,
    })
    .toEqual(['channel.failed', 'channel.published', 'upload.partial_failure', 'upload.publishing', 'upload.scheduled'])
  await carillon.webhooks.remove(hook.id)
})

test('addresses of internal networks are rejected', async () => {
  for (const url of [
    'http://example.com/hook',
    'https://169.254.169.254/',
    'https://[::ffff:169.254.169.254]/',
    'https://metadata.google.internal/',
  ]) {
    await expect(carillon.webhooks.create({ url, events: ['upload.completed'] })).rejects.toMatchObject({ status: 422 })
  }
})
