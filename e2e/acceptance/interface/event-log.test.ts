import type { Delivery, LoggedEvent, Webhook } from '@carillon/sdk'
import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createPost } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { testStack, uniqueText, waitUntilFinished } from '../../test-stack.ts'

const receiver = useWebhookReceiver()
const newPath = (name: string) => `/${uniqueText(name).replace(' ', '-')}`

type Page = { data: LoggedEvent[]; nextCursor: string | null }
const list = (query: string) => callData<Page>(`GET /events?${query}`)

async function deliveryOf(webhookId: string, deliveryId: string): Promise<Delivery | undefined> {
  const all = await callData<Delivery[]>(`GET /webhooks/${webhookId}/deliveries`)
  return all.find(({ id }) => id === deliveryId)
}

/** A webhook whose receiver gives these statuses, and a delivery to it. */
async function sendTo(path: string, status: (nth: number) => number, more: object = {}) {
  receiver.setStatus(path, status)
  const body = { url: receiver.url(path), events: ['connection.needs_reconnect'], ...more }
  const webhook = await callData<Webhook>('POST /webhooks', { body })
  const { id } = await callData<Delivery>(`POST /webhooks/${webhook.id}/test`)
  return { webhook, id, find: () => deliveryOf(webhook.id, id) }
}

row('D 15 event log', async () => {
  const from = new Date().toISOString()
  const { uploadId } = (await createPost()).data
  await waitUntilFinished(uploadId)
  const query = `from=${encodeURIComponent(from)}&type=upload.completed&limit=100`
  const idsIn = ({ data }: Page) => data.flatMap(({ data: about }) => (about && 'uploadId' in about ? [about.uploadId] : []))
  await expect.poll(async () => idsIn(await list(query)), { timeout: 15_000 }).toContain(uploadId)
  const { data } = await list(query)
  expect(new Set(data.map(({ event }) => event))).toEqual(new Set(['upload.completed']))
  const entry = data.find(({ data: about }) => about && 'uploadId' in about && about.uploadId === uploadId)
  expect(entry).toMatchObject({ workspaceId: testStack.workspaceId, data: { status: 'completed' } })
  expect(idsIn(await list(`${query}&cursor=${entry?.id}`))).not.toContain(uploadId)
  const other = await call(`GET /events?${query}`, { key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId })
  expect(other.text).not.toContain(uploadId)
})

row('D 15 redeliver failed', async () => {
  const path = newPath('again')
  // The first answer means that nothing more is wanted, so the delivery fails at once and the webhook is switched off.
  const { webhook, id, find } = await sendTo(path, (nth) => (nth === 1 ? 410 : 200))
  await expect.poll(async () => (await find())?.status, { timeout: 15_000 }).toBe('failed')
  await callData(`PATCH /webhooks/${webhook.id}`, { body: { active: true } })
  const resend = (since: string) => callData(`POST /webhooks/${webhook.id}/redeliver-failed`, { body: { since } })
  expect(await resend('2040-01-01T00:00:00Z')).toEqual({ redelivered: 0 })
  expect(await resend('2020-01-01T00:00:00Z')).toEqual({ redelivered: 1 })
  await expect.poll(async () => (await find())?.status, { timeout: 15_000 }).toBe('delivered')
  expect(receiver.received(path).map(({ headers }) => headers['x-webhook-delivery'])).toEqual([id, id])
})

row('D 15 retries', async () => {
  const { webhook, id, find } = await sendTo(newPath('patient'), () => 500, { retries: 'day' })
  expect(webhook.retries).toBe('day')
  await expect.poll(async () => (await find())?.attempts, { timeout: 15_000 }).toBe(1)
  // As if five attempts had failed, their waits were over, and the job that the engine holds were lost.
  await queryDatabase(
    `update webhook_delivery set tries = 5, next_attempt_at = now(), claimed_at = null, generation = generation + 1 where id = $1`,
    [id],
  )
  await expect.poll(async () => (await find())?.attempts, { timeout: 30_000 }).toBe(2)
  const entry = await find()
  expect(entry?.status).toBe('pending')
  expect(Date.parse(entry?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(280_000)
  await callData(`DELETE /webhooks/${webhook.id}`)
})
