import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endpoints } from '@carillon/contract'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData, type Reply } from '../../support/call.ts'
import { makePng } from '../../support/files.ts'
import {
  createDraft,
  createPost,
  createScheduled,
  dayMs,
  errorPaths,
  readPost,
  textBody,
  tryCreate,
  unknownId,
  uploadMedia,
} from '../../support/posts.ts'
import { otherTenant, testStack, timeAfter } from '../../test-stack.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const hex24 = /^[0-9a-f]{24}$/
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

rows(() => call<unknown>('GET /content'), {
  'I 0 envelope': ({ headers, success, data }) => {
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect({ success, data }).toMatchObject({ success: true, data: expect.anything() })
  },
  'I 7 success': ({ success }) => expect(success).toBe(true),
  'I 9 no version': () => expect(new URL(testStack.baseUrl).pathname).toBe('/api'),
  'D 1 rate limit headers': ({ headers }) => {
    expect(headers.get('ratelimit')).toMatch(/^"\w+";r=\d+;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toMatch(/^"\w+";q=\d+;w=60$/)
    for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
  },
})

row('I 4 authentication', async () => {
  for (const { method, path } of endpoints) {
    const reply = await call(`${method} ${path.replaceAll(/:\w+/g, unknownId)}`, { key: null })
    expect([method, path, reply.status, reply.error?.code]).toEqual([method, path, 401, 'api_key_missing'])
  }
})

row('I 5.1', async () => {
  expect((await call('GET /content', { key: null })).status).toBe(401)
  expect((await call('GET /content', { key: null, headers: { authorization: testStack.apiKey } })).status).toBe(401)
  expect((await call('GET /content')).status).toBe(200)
})

row('I 5.3', async () => {
  for (const path of ['/content', '/media', '/ai/status', '/analytics', '/webhooks'])
    expect([path, (await call(`GET ${path}`, { workspace: null })).error?.code]).toEqual([path, 'workspace_header_missing'])
})

row('I 5.4', async () => {
  expect((await call(`GET /workspaces/${testStack.workspaceId}`, { workspace: null })).status).toBe(200)
  expect((await call('GET /workspaces', { workspace: null })).status).toBe(200)
})

row('D 1 timestamps', async () => {
  const post = await readPost(await createScheduled())
  for (const time of [post.createdAt, post.updatedAt, post.scheduledAt]) expect(time).toMatch(instant)
})

row('D 1 delete answer', async () => {
  const reply = await call(`DELETE /content/${await createDraft()}`)
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { success: true, data: null }])
})

rows(() => tryCreate({ text: 7, surprise: 1 }), {
  'D 1 error shape': async ({ status, success, error, headers }) => {
    expect([status, success]).toEqual([422, false])
    expect(error).toEqual({
      code: 'request_invalid',
      message: expect.any(String),
      action: 'fix_request',
      retryable: false,
      details: expect.arrayContaining([
        { path: 'text', code: expect.any(String), message: expect.any(String), params: expect.any(Object) },
      ]),
      docUrl: expect.stringContaining('request_invalid'),
      traceId: headers.get('x-request-id'),
    })
    // The log is written a moment after the answer.
    const log = () => readFile(join(testStack.dir, 'logs', 'carillon-all.log'), 'utf8')
    await expect.poll(log, { timeout: 15_000 }).toContain(error.traceId)
  },
  'D 1 unknown fields': (reply) => expect(errorPaths(reply)).toContain('surprise'),
  'D 1 422': ({ status }) => expect(status).toBe(422),
})

row('D 1 201 202 200', async () => {
  expect((await createPost({ saveDraft: true })).status).toBe(201)
  expect((await createPost({ scheduledAt: timeAfter(dayMs), async: true })).status).toBe(202)
  expect((await call('GET /content')).status).toBe(200)
})

row('D 1 400 malformed JSON', async () => {
  const reply = await call('POST /content/text', { raw: '{"text":', type: 'application/json' })
  expect([reply.status, reply.error.code]).toEqual([400, 'malformed_json'])
})

row('D 1 400 no workspace', async () => {
  const reply = await call('POST /content/text', { body: textBody(), workspace: null })
  expect([reply.status, reply.error.code]).toEqual([400, 'workspace_header_missing'])
})

row('D 1 401', async () => {
  for (const key of ['sk_', 'nonsense', `sk_${'a'.repeat(49)}`])
    expect([key, (await call('GET /content', { key })).error?.code]).toEqual([key, 'api_key_invalid'])
  expect((await call('GET /content', { key: null })).error.code).toBe('api_key_missing')
  const keys = `/workspaces/${testStack.workspaceId}/api-keys`
  const { id, key } = await callData<{ id: string; key: string }>(`POST ${keys}`, { body: { label: 'short-lived' } })
  expect((await call('GET /content', { key })).status).toBe(200)
  await callData(`DELETE ${keys}/${id}`)
  const revoked = await call('GET /content', { key })
  expect([revoked.status, revoked.error.code, revoked.error.action]).toEqual([401, 'api_key_invalid', 'fix_request'])
})

row('D 1 404', async () => {
  const id = await createDraft()
  const refused = await otherTenant.content.get(id).catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 404, code: 'post_not_found' })
  expect((await call(`GET /content/${unknownId}`)).status).toBe(404)
  expect((await call('GET /content/not-an-id')).status).toBe(404)
})

row('D 1 409', async () => {
  expect((await call(`POST /content/${await createDraft()}/publish-now`)).status).toBe(409)
})

row('D 1 413', async () => {
  const reply = await createPost({ text: 'a'.repeat(1_100_000) })
  expect([reply.status, reply.error.code]).toEqual([413, 'body_too_large'])
})

row('D 1 415', async () => {
  const reply = await call('POST /content/text', { raw: 'text=a', type: 'text/plain' })
  expect([reply.status, reply.error.code]).toEqual([415, 'media_type_unsupported'])
})

row('D 1 NUL', async () => {
  expect((await tryCreate({ text: 'a\0b' })).status).toBe(422)
  expect((await call('GET /content?search=%00')).status).toBe(422)
})

row('D 2 object ids', async () => {
  const first = await createDraft()
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const ids = [first, await createDraft()]
  expect(ids.toSorted()).toEqual(ids)
  const [connection] = await callData<{ id: string }[]>(`GET /workspaces/${testStack.workspaceId}/connections`)
  const [member] = await callData<{ userId: string }[]>(`GET /workspaces/${testStack.workspaceId}/members`)
  const hook = { url: 'https://127.0.0.1:9/ids', events: ['upload.failed'] }
  const webhook = await callData<{ id: string }>('POST /webhooks', { body: hook })
  const guest = { email: 'ids@example.com', role: 'viewer' }
  const invitation = await callData<{ id: string }>(`POST /workspaces/${testStack.workspaceId}/invitations`, { body: guest })
  const media = await uploadMedia(makePng(21), 'ids.png')
  const others = [testStack.workspaceId, connection?.id, member?.userId, webhook.id, invitation.id, media.id]
  for (const id of [...ids, ...others]) expect(id).toMatch(hex24)
  await callData(`DELETE /webhooks/${webhook.id}`)
  await callData(`DELETE /workspaces/${testStack.workspaceId}/invitations/${invitation.id}`)
})

rows(async () => readPost(await createDraft()), {
  'D 2 UUIDs': async ({ requestId }) => {
    expect(requestId).toMatch(uuid7)
    const [key] = await callData<{ id: string }[]>(`GET /workspaces/${testStack.workspaceId}/api-keys`)
    expect(key?.id).toMatch(uuid7)
  },
  'D 2 either id': async ({ requestId, uploadId }) => {
    expect(await readPost(requestId)).toEqual(await readPost(uploadId))
    expect((await call(`PATCH /content/${requestId}`, { body: { title: 'By requestId' } })).status).toBe(200)
    expect((await call(`DELETE /content/${requestId}`)).status).toBe(200)
  },
})

row('D 12 foreign workspace', async () => {
  for (const workspace of [unknownId, testStack.otherWorkspaceId, 'nonsense']) {
    const reply: Reply<unknown> = await call('GET /content', { workspace })
    expect([workspace, reply.status, reply.error.code]).toEqual([workspace, 404, 'workspace_not_found'])
  }
})

row('D 12 bad query', async () => {
  for (const query of ['limit=0', 'limit=101', 'page=0', 'page=one', 'type=opera', 'status=lost', 'from=yesterday', 'surprise=1'])
    expect([query, (await call(`GET /content?${query}`)).status]).toEqual([query, 422])
})

row('D 12 plain arrays', async () => {
  const inWorkspace = ['members', 'invitations', 'connections', 'api-keys'].map(
    (what) => `/workspaces/${testStack.workspaceId}/${what}`,
  )
  for (const path of ['/workspaces', '/webhooks', '/platforms', ...inWorkspace])
    expect([path, Array.isArray(await callData(`GET ${path}`))]).toEqual([path, true])
  expect(Array.isArray(await callData(`GET /webhooks/${testStack.undeliverable.webhookId}/deliveries`))).toBe(true)
})
