import { expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { inviteAndAccept } from '../support/invite-and-accept.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { createPerson } from '../support/server-env.ts'
import { uniqueText } from '../test-stack.ts'

type Member = { userId: string; email: string; role: string }

/** A workspace with an admin who has invited a second address of their own as an admin. */
async function prepare() {
  const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: uniqueText('Tower') } })
  const [email, second] = [newAddress('admin'), newAddress('second')]
  const admin = await createPerson(email)
  await inviteAndAccept(id, email, 'admin')
  const body = { email: second, role: 'admin' }
  await callData(`POST /workspaces/${id}/invitations`, { body, key: admin.apiKey })
  const link = findLink(await waitForMail(second, 'invites you'))
  return { id, admin, second, link }
}

const accept = (link: string) => fetch(link, { method: 'POST', headers: { accept: 'application/json' } })
const emailsOf = async (id: string) => (await callData<Member[]>(`GET /workspaces/${id}/members`)).map(({ email }) => email)

/** Attack: an admin who will be removed invites themselves under another address first. */
test('guarantee: a removed admin does not come back by an invitation of theirs', async () => {
  const { id, admin, second, link } = await prepare()
  await callData(`DELETE /workspaces/${id}/members/${admin.personId}`)
  expect((await accept(link)).status).toBe(404)
  expect(await emailsOf(id)).not.toContain(second)
  expect(await callData(`GET /workspaces/${id}/invitations`)).not.toContainEqual(expect.objectContaining({ email: second }))
  await callData(`DELETE /workspaces/${id}`)
})

test('guarantee: an invitation of a member with a lower role now is worth nothing', async () => {
  const { id, admin, second, link } = await prepare()
  await callData(`PATCH /workspaces/${id}/members/${admin.personId}`, { body: { role: 'viewer' } })
  expect((await accept(link)).status).toBe(404)
  expect(await emailsOf(id)).not.toContain(second)
  await callData(`DELETE /workspaces/${id}`)
})

/** Attack: the name of a workspace is a text that looks like a mail of somebody else. */
test('guarantee: a mail to a stranger has no link and no address in its subject', async () => {
  const name = 'URGENT: verify at https://evil.example/login or mail help@evil.example'
  const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name } })
  const victim = newAddress('victim')
  expect((await call(`POST /workspaces/${id}/invitations`, { body: { email: victim, role: 'viewer' } })).status).toBe(201)
  const { subject, text } = await waitForMail(victim, 'invites you')
  expect(subject).not.toMatch(/[:/@]|\w\.\w/)
  expect(text).not.toContain('evil.example')
  await callData(`DELETE /workspaces/${id}`)
})
