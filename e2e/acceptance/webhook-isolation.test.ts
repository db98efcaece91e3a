import type { Delivery, Webhook } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { queryDatabase } from '../support/query-database.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { uniqueText } from '../test-stack.ts'

/** Guarantee T9: an endpoint that hangs delays only its own deliveries. */

const receiver = useWebhookReceiver()
const hangingEvents = 1000
const promptEvents = 20

async function newHook(name: string): Promise<{ id: string; path: string }> {
  const path = `/${uniqueText(name).replace(' ', '-')}`
  const body = { url: receiver.url(path), events: ['connection.needs_reconnect'] }
  return { id: (await callData<Webhook>('POST /webhooks', { body })).id, path }
}

/** Sends events one after another and returns the longest time from the request to the arrival. */
async function measure({ id, path }: { id: string; path: string }): Promise<number> {
  const tookMs: number[] = []
  for (let n = 0; n < promptEvents; n++) {
    const startedMs = Date.now()
    const sent = await callData<Delivery>(`POST /webhooks/${id}/test`)
    const { atMs } = await receiver.waitFor(path, (body) => body.includes(sent.id), 60_000)
    tookMs.push(atMs - startedMs)
  }
  return Math.max(...tookMs)
}

/** Copies one delivery many times, all due now. They are claimed and sent like any other. */
async function enqueueMany(webhookId: string): Promise<void> {
  const sent = await callData<Delivery>(`POST /webhooks/${webhookId}/test`)
  await queryDatabase(
    `insert into webhook_delivery (workspace_id, webhook_id, id, event, url, body, next_attempt_at, created_at,
       status, status_code, attempts, tries, response_body)
     select workspace_id, webhook_id, gen_random_uuid(), event, url, body, now(), now(), 'pending', 0, 0, 0, ''
     from webhook_delivery, generate_series(1, ${hangingEvents - 1}) where id = $1`,
    [sent.id],
  )
}

const countPending = async (webhookId: string) => {
  const counted = await queryDatabase<{ count: string }>(
    `select count(*) as count from webhook_delivery where webhook_id = $1 and status = 'pending'`,
    [webhookId],
  )
  return Number(counted[0]?.count)
}

test('guarantee: 1,000 events for an endpoint that hangs do not delay those of another', { timeout: 240_000 }, async () => {
  const [hanging, prompt] = [await newHook('hanging'), await newHook('prompt')]
  const aloneMs = await measure(prompt)
  receiver.setReply(hanging.path, () => ({ status: 200, delayMs: 12_000 }))
  await enqueueMany(hanging.id)
  await receiver.waitFor(hanging.path, () => true, 60_000)
  const besideMs = await measure(prompt)
  // All of them overtook the queue of the other endpoint, which is nearly as long as before.
  expect(await countPending(hanging.id)).toBeGreaterThan(hangingEvents / 2)
  expect(receiver.received(hanging.path).length).toBeLessThan(hangingEvents / 2)
  // One wait behind a hanging attempt would be ten seconds. The rest of the margin is for a busy machine.
  expect(besideMs).toBeLessThan(aloneMs + 5000)
  await callData(`DELETE /webhooks/${hanging.id}`)
  await callData(`DELETE /webhooks/${prompt.id}`)
})
