import type { ApiKey } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { call, callData } from '../support/call.ts'
import { createPerson } from '../support/server-env.ts'
import { newAddress } from '../support/browser.ts'
import { inviteAndAccept } from '../support/invite-and-accept.ts'
import { timeAfter, uniqueText } from '../test-stack.ts'

const newWorkspace = (name: string) => callData<{ id: string }>('POST /workspaces', { body: { name } })
const makeKey = (workspaceId: string, { key, ...body }: { key?: string; [field: string]: unknown } = {}) =>
  call<ApiKey>(`POST /workspaces/${workspaceId}/api-keys`, { body: { label: 'made', ...body }, ...(key && { key }) })

/** Attack: a program with a narrow key makes itself a key without limits, and deletes another workspace with it. */
test('guarantee: a narrow key makes no key that may do more', async () => {
  const [mine, other] = [await newWorkspace('Attacked'), await newWorkspace('Other')]
  const limits = { scopes: ['workspaces:write'], workspaceOnly: true, expiresAt: timeAfter(60_000) }
  const narrow = (await makeKey(mine.id, limits)).data.key ?? ''

  const made = await makeKey(mine.id, { key: narrow })
  expect(made).toMatchObject({ status: 201, data: limits })
  const key = made.data.key ?? ''
  expect((await call(`DELETE /workspaces/${other.id}`, { key })).status).toBe(404)
  expect((await call('GET /content', { key, workspace: mine.id })).error.code).toBe('scope_missing')
  for (const more of [{ scopes: ['content:read'] }, { workspaceOnly: false }, { expiresAt: timeAfter(120_000) }])
    expect(await makeKey(mine.id, { key: narrow, ...more })).toMatchObject({ status: 403, error: { code: 'scope_missing' } })

  for (const { id } of [mine, other]) await callData(`DELETE /workspaces/${id}`)
})

/** Attack: an admin repeats the request with which the owner made a key, and gets the owner's key. */
test('guarantee: a repeated request gives no secret, and nothing to another person', async () => {
  const { id } = await newWorkspace('Shared')
  const email = newAddress('admin')
  const admin = await createPerson(email)
  await inviteAndAccept(id, email, 'admin')
  const request = { body: { label: 'deploy' }, headers: { 'idempotency-key': uniqueText('guessed') } }
  const first = await call<ApiKey>(`POST /workspaces/${id}/api-keys`, request)
  expect(first.data.key).toMatch(/^sk_/)

  const byAdmin = await call<ApiKey>(`POST /workspaces/${id}/api-keys`, { ...request, key: admin.apiKey })
  expect([byAdmin.status, byAdmin.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(byAdmin.data.id).not.toBe(first.data.id)

  const again = await call<ApiKey>(`POST /workspaces/${id}/api-keys`, request)
  expect([again.status, again.data.id, again.data.key]).toEqual([201, first.data.id, undefined])
  expect(again.headers.get('idempotent-secret')).toBe('omitted')
  await callData(`DELETE /workspaces/${id}`)
})
