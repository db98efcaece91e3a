import { createCarillon } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { findTablesContaining } from '../support/query-database.ts'
import { createPerson } from '../support/server-env.ts'
import { testStack, uniqueText } from '../test-stack.ts'

const password = 'seven bells at dusk'

test('a person can be erased: name and address are in no table, and the audit log keeps an id that refers to nothing', async () => {
  const name = uniqueText('Erased').replace(' ', '')
  const email = `${name.toLowerCase()}@example.com`
  const browser = new Browser()
  await browser.post('/auth/sign-up/email', { name, email, password })
  await browser.press(findLink(await waitForMail(email, 'Confirm your address')))
  expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)

  // A workspace of another person, which they join by invitation, and in which they change something.
  const host = await createPerson(`${uniqueText('host').replace(' ', '-')}@example.com`)
  const hosting = createCarillon({ baseUrl: testStack.baseUrl, apiKey: host.apiKey, workspaceId: host.workspaceId })
  await hosting.workspaces.invite(host.workspaceId, { email, role: 'admin' })
  const invitation = await waitForMail(email, 'invites you')
  expect((await browser.press(findLink(invitation))).status).toBe(200)
  const renamed = await browser.open(`PATCH /api/workspaces/${host.workspaceId}`, { body: { name: 'Renamed' } })
  expect(renamed.status).toBe(200)
  const key = await browser.open(`POST /api/workspaces/${host.workspaceId}/api-keys`, { body: { label: 'theirs' } })
  expect(key.status).toBe(201)

  const own = await browser.post('/api/workspaces', { name: 'Their own' })
  const { id } = own.data as { id: string }
  const refused = await browser.post('/auth/erase-account', { password })
  expect([refused.status, refused.code]).toEqual([409, 'last_owner'])
  expect(refused.text).toContain('Their own')
  expect((await browser.open(`DELETE /api/workspaces/${id}`)).status).toBe(200)

  const guessed = await browser.post('/auth/erase-account', { password: 'not the one' })
  expect([guessed.status, guessed.code]).toEqual([403, 'confirmation_required'])
  expect((await browser.post('/auth/erase-account', { password })).status).toBe(200)

  expect(await findTablesContaining(email)).toEqual([])
  expect(await findTablesContaining(name)).toEqual([])
  expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(401)
  const { key: secret } = key.data as { key: string }
  const theirs = createCarillon({ baseUrl: testStack.baseUrl, apiKey: secret, workspaceId: host.workspaceId })
  await expect(theirs.workspaces.get(host.workspaceId)).rejects.toMatchObject({ code: 'api_key_invalid' })
  const { data } = await hosting.workspaces.audit(host.workspaceId)
  expect(data[0]).toMatchObject({ action: 'member.erase', email: null })
  expect(data.filter(({ action }) => action === 'workspace.update')).toMatchObject([{ email: null, userId: data[0]?.userId }])
})
