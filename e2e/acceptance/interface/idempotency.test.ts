import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { createDraft, createPost, unknownId } from '../../support/posts.ts'
import { bluesky, testStack, uniqueText } from '../../test-stack.ts'

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

row('D 1 idempotent replay', async () => {
  const [key, text] = [uniqueText('key'), uniqueText('once')]
  const [first, second] = [
    await createPost({ text, saveDraft: true }, withKey(key)),
    await createPost({ text, saveDraft: true }, withKey(key)),
  ]
  expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([first.status, first.text, 'true'])
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  // The body is compared as JSON, not as bytes.
  const reordered = { saveDraft: true, text, connections: [bluesky] }
  const other = await call('POST /content/text', { ...withKey(key), body: reordered })
  expect([other.status, other.text]).toEqual([first.status, first.text])
})

row('D 1 idempotent other body', async () => {
  const key = uniqueText('key')
  await createPost({ saveDraft: true }, withKey(key))
  const reply = await createPost({ saveDraft: true }, withKey(key))
  expect([reply.status, reply.error.code]).toEqual([422, 'idempotency_key_reused'])
})

row('D 1 idempotent in flight', async () => {
  const [key, text] = [uniqueText('key'), uniqueText('together')]
  const replies = await Promise.all(Array.from({ length: 30 }, () => createPost({ text, saveDraft: true }, withKey(key))))
  const made = replies.filter(({ status }) => status === 201)
  expect(new Set(made.map(({ data }) => data.draftId)).size).toBe(1)
  const waiting = replies.filter((reply) => reply.status !== 201)
  for (const { status, error } of waiting)
    expect([status, error.code, error.retryable]).toEqual([409, 'idempotency_in_flight', true])
  const found = await callData<{ data: unknown[] }>('GET /content', { query: { search: text.split(' ').at(-1) ?? '' } })
  expect(found.data).toHaveLength(1)
})

row('D 1 idempotent scope', async () => {
  const key = uniqueText('key')
  const options = withKey(key)
  const id = await createDraft()
  // A key belongs to its route and workspace. On another route or workspace it is a new one.
  const changes = [
    await call(`PATCH /content/${id}`, { ...options, body: { title: 'One' } }),
    await call(`PATCH /content/${id}/archive`, options),
    await call(`POST /content/bulk-unarchive`, { ...options, body: { ids: [id] } }),
    await call('POST /workspaces', { ...options, body: { name: 'Idempotent' } }),
  ]
  expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 201])
  const again = await call(`PATCH /content/${id}`, { ...options, body: { title: 'One' } })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await call(`PATCH /content/${id}`, { ...options, body: { title: 'Two' } })).error.code).toBe('idempotency_key_reused')
  const workspace = changes.at(-1)?.data as { id: string }
  const hook = { ...options, body: { url: 'https://127.0.0.1:9/idempotent', events: ['upload.failed'] } }
  const here = await call<{ id: string }>('POST /webhooks', hook)
  const there = await call<{ id: string }>('POST /webhooks', { ...hook, workspace: workspace.id })
  expect([here.status, there.status, there.headers.get('idempotent-replayed')]).toEqual([201, 201, null])
  expect(there.data.id).not.toBe(here.data.id)
  await callData(`DELETE /webhooks/${here.data.id}`)
  const elsewhere = { ...options, key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId }
  expect((await call(`PATCH /content/${id}`, { ...elsewhere, body: { title: 'One' } })).status).toBe(404)
  expect((await createPost({ saveDraft: true }, withKey('k'.repeat(256)))).status).toBe(422)
  expect((await createPost({ saveDraft: true }, withKey('k'.repeat(255)))).status).toBe(201)
  await callData(`DELETE /workspaces/${workspace.id}`)
})

row('D 1 idempotent for a day', async () => {
  const [key, text] = [uniqueText('key'), uniqueText('again tomorrow')]
  const send = async (more: Record<string, unknown> = {}) => createPost({ text, saveDraft: true, ...more }, withKey(key))
  const grow = (age: string) =>
    queryDatabase('update idempotency set created_at = now() - $2::interval where key = $1 returning 1', [key, age])
  const first = await send()
  expect(await grow('23 hours 59 minutes')).toHaveLength(1)
  const same = await send()
  expect([same.text, same.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
  expect((await send({ title: 'other' })).error.code).toBe('idempotency_key_reused')

  await grow('24 hours 1 second')
  const other = await send({ title: 'other' })
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(other.data.draftId).not.toBe(first.data.draftId)
  // From now on the key replays the answer to the new request.
  const again = await send({ title: 'other' })
  expect([again.data.draftId, again.headers.get('idempotent-replayed')]).toEqual([other.data.draftId, 'true'])
})

row('D 12 idempotency frees', async () => {
  const options = withKey(uniqueText('key'))
  expect((await createPost({ saveDraft: true, surprise: 1 }, options)).status).toBe(422)
  expect((await createPost({ saveDraft: true, connections: ['bluesky-nobody'] }, options)).status).toBe(422)
  expect((await createPost({ saveDraft: true }, options)).status).toBe(201)
  const free = withKey(uniqueText('key'))
  for (let n = 0; n < 2; n++) {
    const reply = await call(`POST /content/${unknownId}/publish`, free)
    expect([reply.status, reply.headers.get('idempotent-replayed')]).toEqual([404, null])
  }
})
