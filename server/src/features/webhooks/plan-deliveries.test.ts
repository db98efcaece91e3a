import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventName } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../infra/db/ids.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { planDeliveries } from './plan-deliveries.ts'
import { sealSecret } from './secret.ts'
import { insertWebhook } from './webhook.store.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-plan-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function subscribe(event: EventName): Promise<string> {
  const { ctx, workspaceId } = api
  const at = new Date(ctx.nowMs())
  const key = { workspaceId, id: newId(ctx.nowMs()) }
  const row = {
    url: 'https://hooks.example/',
    events: [event],
    secret_hint: 'test',
    active: true,
    created_at: at,
    updated_at: at,
  }
  const secret = sealSecret(ctx, key, 'secret', 'a secret of the test')
  await ctx.db.tenant(workspaceId, (tx) =>
    insertWebhook(tx, { ...row, workspace_id: workspaceId, id: key.id, secret_sealed: secret }),
  )
  return key.id
}

test('guarantee: each webhook gets the events that it subscribed to, also if both kinds happen at once', async () => {
  const { ctx, workspaceId } = api
  const scheduled = await subscribe('upload.scheduled')
  const failed = await subscribe('upload.failed')
  const postId = await api.create({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  const happened = (event: EventName) => ({
    workspaceId,
    event,
    postId,
    channelId: '',
    connectionId: '',
    personId: '',
    atMs: ctx.nowMs(),
  })
  const events = [happened('upload.scheduled'), happened('upload.failed'), happened('upload.completed')]
  expect(await ctx.db.system.transaction().execute((tx) => planDeliveries(ctx, tx, events))).toBe(2)
  const rows = await ctx.db.system
    .selectFrom('webhook_delivery')
    .where('workspace_id', '=', workspaceId)
    .select(['webhook_id', 'event'])
    .orderBy('event')
    .execute()
  expect(rows.map(({ webhook_id, event }) => [webhook_id, event])).toEqual([
    [failed, 'upload.failed'],
    [scheduled, 'upload.scheduled'],
  ])
})
