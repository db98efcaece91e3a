import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { findTablesContaining } from '../../support/query-database.ts'
import { textBody } from '../../support/posts.ts'
import { testStack, timeAfter, uniqueText } from '../../test-stack.ts'

type Key = { id: string; prefix: string; label: string; createdAt: string; key: string }
const at = `/workspaces/${testStack.workspaceId}/api-keys`
const make = (more: Record<string, unknown> = {}) => callData<Key>(`POST ${at}`, { body: { label: uniqueText('key'), ...more } })
const list = () => callData<Key[]>(`GET ${at}`)
const works = async (key: string, workspace = testStack.workspaceId) => (await call('GET /content', { key, workspace })).status

rows(() => make({ label: 'Deploy' }), {
  'I 4.5 POST /workspaces/:id/api-keys': async ({ key, label }) => {
    expect([label, await works(key)]).toEqual(['Deploy', 200])
    for (const body of [{}, { label: '' }, { label: 7 }, { label: 'a', role: 'owner' }])
      expect((await call(`POST ${at}`, { body })).status).toBe(422)
  },
  'I 2 API key id': ({ id }) => expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  'I 2 API key prefix': ({ key, prefix }) => expect([prefix, prefix.slice(0, 3)]).toEqual([key.slice(0, prefix.length), 'sk_']),
  'I 2 API key label': ({ label }) => expect(label).toBe('Deploy'),
  'I 2 API key createdAt': ({ createdAt }) => expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
  'I 2 API key key': async ({ key, id }) => {
    const listed = (await list()).find((each) => each.id === id)
    expect(listed).not.toHaveProperty('key')
    expect((await call(`GET ${at}`)).text).not.toContain(key)
  },
  'I 4.5 GET /workspaces/:id/api-keys': async ({ id }) => expect((await list()).map((each) => each.id)).toContain(id),
  'I 5.2': async ({ key, prefix, id }) => {
    expect(key.startsWith('sk_')).toBe(true)
    expect((await list()).find((each) => each.id === id)?.prefix).toBe(prefix)
  },
  'D 3 key format': async ({ key, prefix }) => {
    expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/)
    expect(prefix).toHaveLength(11)
    for (const place of [3, 20, key.length - 1]) {
      const typo = `${key.slice(0, place)}${key[place] === 'a' ? 'b' : 'a'}${key.slice(place + 1)}`
      expect([place, await works(typo)]).toEqual([place, 401])
    }
  },
  'D 3 only a hash': async ({ key, prefix }) => {
    // The prefix is stored as plain text, which proves that the search would find the key.
    expect(await findTablesContaining(prefix)).toEqual(['api_key'])
    expect(await findTablesContaining(key)).toEqual([])
    expect(await findTablesContaining(key.slice(11))).toEqual([])
    const hash = createHash('sha256').update(key).digest('hex')
    expect(await findTablesContaining(hash)).toEqual(['api_key'])
  },
  'I 4.5 DELETE /workspaces/:id/api-keys/:keyId': async ({ id, key }) => {
    const reply = await call(`DELETE ${at}/${id}`)
    expect([reply.status, reply.data, await works(key)]).toEqual([200, null, 401])
    expect((await list()).map((each) => each.id)).not.toContain(id)
    expect((await call(`DELETE ${at}/${id}`)).status).toBe(404)
  },
})

row('D 3 scopes', async () => {
  const { key } = await make({ scopes: ['content:read', 'media:*'] })
  expect([await works(key), (await call('GET /media', { key })).status]).toEqual([200, 200])
  const reply = await call('POST /content/text', { key, body: textBody({ saveDraft: true }) })
  expect([reply.status, reply.error.code]).toEqual([403, 'scope_missing'])
  expect((await call('GET /webhooks', { key })).error.code).toBe('scope_missing')
  expect((await call(`POST ${at}`, { body: { label: 'a', scopes: ['everything'] } })).status).toBe(422)
})

row('D 3 expiresAt', async () => {
  const expiresAt = timeAfter(2000)
  const { key } = await make({ expiresAt })
  expect(await works(key)).toBe(200)
  await expect.poll(() => works(key), { timeout: 10_000, interval: 100 }).toBe(401)
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
  expect((await call('GET /content', { key })).error.code).toBe('api_key_invalid')
  expect((await call(`POST ${at}`, { body: { label: 'late', expiresAt: timeAfter(-1000) } })).status).toBe(422)
})

row('D 3 workspaceOnly', async () => {
  const [only, wide] = [await make({ workspaceOnly: true }), await make()]
  const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Elsewhere' } })
  expect([await works(only.key), await works(only.key, id), await works(wide.key, id)]).toEqual([200, 404, 200])
  await callData(`DELETE /workspaces/${id}`)
})

row('D 3 key made with a key', async () => {
  const limits = { scopes: ['workspaces:write'], workspaceOnly: true, expiresAt: timeAfter(60_000) }
  const { key } = await make(limits)
  expect(await callData(`POST ${at}`, { key, body: { label: 'child' } })).toMatchObject(limits)
  for (const more of [{ scopes: ['content:read'] }, { workspaceOnly: false }, { expiresAt: timeAfter(120_000) }]) {
    const reply = await call(`POST ${at}`, { key, body: { label: 'child', ...more } })
    expect([reply.status, reply.error.code]).toEqual([403, 'scope_missing'])
  }
})
