import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sendRequest, textAt } from '../support/send-request.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { testStack } from '../test-stack.ts'

const guest = testStack.otherApiKey
const guestEmail = 'Other@Example.com'

async function newWorkspace(): Promise<string> {
  const name = `People ${randomBytes(4).toString('hex')}`
  return textAt((await sendRequest('POST', '/api/workspaces', { body: { name } })).data, 'id')
}

async function invite(workspaceId: string, role: string): Promise<string> {
  const made = await sendRequest('POST', `/api/workspaces/${workspaceId}/invitations`, { body: { email: guestEmail, role } })
  expect(made).toMatchObject({ status: 201, data: { status: 'pending', role } })
  const { data } = await sendRequest('GET', `/api/workspaces/${workspaceId}`)
  return findLink(await waitForMail(guestEmail, textAt(data, 'name')))
}

const statusForGuest = async (workspaceId: string) =>
  (await sendRequest('GET', `/api/workspaces/${workspaceId}`, { key: guest })).status

test('an invitation can be accepted once, with the link in the mail', async () => {
  const id = await newWorkspace()
  const link = await invite(id, 'viewer')
  expect(
    await sendRequest('POST', `/api/workspaces/${id}/invitations`, { body: { email: guestEmail, role: 'viewer' } }),
  ).toMatchObject({
    status: 409,
    code: 'invitation_pending',
  })
  await expect
    .poll(async () => (await sendRequest('GET', `/api/workspaces/${id}/invitations`)).data)
    .toMatchObject([{ mail: 'sent' }])

  expect(await sendRequest('GET', link, { key: null })).toMatchObject({
    status: 200,
    data: { email: guestEmail, role: 'viewer' },
  })
  expect(await statusForGuest(id)).toBe(404)
  expect(await sendRequest('POST', link, { key: null, headers: { accept: 'text/html' } })).toMatchObject({ status: 200 })
  expect(await statusForGuest(id)).toBe(200)
  expect(await sendRequest('POST', link, { key: null })).toMatchObject({ status: 409, code: 'invitation_ended' })
  expect(await sendRequest('POST', '/invitations/accept?token=guess', { key: null })).toMatchObject({ status: 404 })
  const again = await sendRequest('POST', `/api/workspaces/${id}/invitations`, {
    body: { email: guestEmail.toLowerCase(), role: 'viewer' },
  })
  expect(again).toMatchObject({ status: 409, code: 'already_member' })
})

test('guarantee: a member cannot change or create a member with a higher role, and one owner always remains', async () => {
  const id = await newWorkspace()
  await sendRequest('POST', await invite(id, 'admin'), { key: null })
  const members = `/api/workspaces/${id}/members`
  const { data } = await sendRequest('GET', members)
  const [owner = '', admin = ''] = (data as { userId: string }[]).map(({ userId }) => userId)

  const asAdmin = (method: string, path: string, body?: object) =>
    sendRequest(method, path, { key: guest, ...(body && { body }) })
  const forbidden = { status: 403, code: 'role_forbidden' }
  expect(await asAdmin('PATCH', `${members}/${owner}`, { role: 'viewer' })).toMatchObject(forbidden)
  expect(await asAdmin('DELETE', `${members}/${owner}`)).toMatchObject(forbidden)
  expect(await asAdmin('PATCH', `${members}/${admin}`, { role: 'owner' })).toMatchObject(forbidden)
  const invitation = { email: 'new@example.com', role: 'owner' }
  expect(await asAdmin('POST', `/api/workspaces/${id}/invitations`, invitation)).toMatchObject(forbidden)
  expect(await asAdmin('PATCH', `/api/workspaces/${id}`, { plan: 'free' })).toMatchObject(forbidden)
  expect(await asAdmin('DELETE', `/api/workspaces/${id}`)).toMatchObject(forbidden)
  expect(await asAdmin('GET', `/api/workspaces/${id}/export`)).toMatchObject(forbidden)

  expect(await sendRequest('PATCH', `${members}/${owner}`, { body: { role: 'admin' } })).toMatchObject({
    status: 409,
    code: 'last_owner',
  })
  expect(await sendRequest('DELETE', `${members}/${owner}`)).toMatchObject({ status: 409, code: 'last_owner' })
  expect(await sendRequest('PATCH', `${members}/${admin}`, { body: { role: 'owner' } })).toMatchObject({ status: 200 })
  // Two owners demote each other at the same time: one of them must stay an owner.
  const both = await Promise.all([
    sendRequest('PATCH', `${members}/${owner}`, { body: { role: 'admin' }, key: guest }),
    sendRequest('PATCH', `${members}/${admin}`, { body: { role: 'admin' } }),
  ])
  expect(both.map(({ status }) => status)).not.toEqual([200, 200])
})

test('guarantee: removing a member ends their access and their keys at once', async () => {
  const id = await newWorkspace()
  await sendRequest('POST', await invite(id, 'admin'), { key: null })
  const made = await sendRequest('POST', `/api/workspaces/${id}/api-keys`, { body: { label: 'theirs' }, key: guest })
  const theirs = textAt(made.data, 'key')
  expect(await sendRequest('GET', `/api/workspaces/${id}`, { key: theirs })).toMatchObject({ status: 200 })
  const { data } = await sendRequest('GET', `/api/workspaces/${id}/members`)
  const userId = (data as { userId: string; role: string }[]).find(({ role }) => role === 'admin')?.userId
  expect(await sendRequest('DELETE', `/api/workspaces/${id}/members/${userId}`)).toMatchObject({ status: 200 })
  expect(await statusForGuest(id)).toBe(404)
  expect(await sendRequest('GET', '/api/workspaces', { key: theirs })).toMatchObject({ status: 401 })
})

test('the audit log lists every action in pages, and an export contains everything but secrets', async () => {
  const id = await newWorkspace()
  for (const label of ['a', 'b', 'c']) await sendRequest('POST', `/api/workspaces/${id}/api-keys`, { body: { label } })
  const page = async (cursor: string) =>
    (await sendRequest('GET', `/api/workspaces/${id}/audit?limit=2${cursor && `&cursor=${cursor}`}`)).data as {
      data: { action: string; email: string }[]
      nextCursor: string | null
    }
  const first = await page('')
  expect(first.data).toMatchObject([{ action: 'api_key.create', email: 'demo@example.com' }, { action: 'api_key.create' }])
  expect((await page(first.nextCursor ?? '')).data).toHaveLength(1)

  const draft = (text: string) =>
    sendRequest('POST', '/api/content/text', { workspaceId: id, body: { connections: [], text, saveDraft: true } })
  await draft('a post of today')
  const { draftId } = (await draft('an archived post')).data as { draftId: string }
  expect(await sendRequest('PATCH', `/api/content/${draftId}/archive`, { workspaceId: id })).toMatchObject({ status: 200 })

  const parts = new Set<string>()
  let text = ''
  for (let cursor: string | null = 'workspace'; cursor !== null;) {
    const { data } = await sendRequest('GET', `/api/workspaces/${id}/export?cursor=${cursor}`)
    const exportPage = data as { part: string; nextCursor: string | null }
    parts.add(exportPage.part)
    text += JSON.stringify(exportPage)
    cursor = exportPage.nextCursor
  }
  expect([...parts]).toEqual(expect.arrayContaining(['workspace', 'members', 'connections', 'posts', 'audit']))
  expect(text).toContain('a post of today')
  expect(text).toContain('an archived post')
  expect(text).not.toMatch(/sk_[0-9A-Za-z]{49}|sealed|hash/)
})

test('guarantee: an erased workspace is gone for all of its members', async () => {
  const id = await newWorkspace()
  const link = await invite(id, 'viewer')
  expect(await sendRequest('DELETE', `/api/workspaces/${id}`)).toMatchObject({ status: 200 })
  expect(await sendRequest('GET', `/api/workspaces/${id}`)).toMatchObject({ status: 404 })
  expect(await sendRequest('POST', link, { key: null })).toMatchObject({ status: 404 })
})
