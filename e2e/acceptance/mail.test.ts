import { describe, expect, test } from 'vitest'
import { sendRequest, textAt } from '../support/send-request.ts'
import { Browser } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { findAppLink, findLink, findMails, readMailStructure, waitForMail, type Mail } from '../support/mailbox.ts'
import { startSecondServer } from '../support/second-server.ts'
import { uniqueText } from '../test-stack.ts'

const password = 'seven bells at dusk'
const newAddress = (who: string) => `${uniqueText(who).replace(' ', '-')}@example.com`

/** Every mail has one recipient, the same link as text and as HTML, and only the expected headers. */
async function expectValidMail(mail: Mail, { to, link }: { to: string; link: RegExp }): Promise<void> {
  expect(mail.from).toMatchObject([{ address: 'bells@carillon.example', name: 'Carillon' }])
  expect(mail.to.map(({ address }) => address)).toEqual([to])
  expect(mail.envelope.to.map(({ address }) => address)).toEqual([to])
  expect(findAppLink(mail)).toMatch(link)
  expect(mail.html).toContain(`href="${findAppLink(mail)}"`)
  expect(await readMailStructure(mail)).toEqual({
    headers: ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    parts: ['text/plain', 'text/html'],
  })
}

async function signUp(email: string, name = 'Ringer'): Promise<Browser> {
  const browser = new Browser()
  expect((await browser.post('/auth/sign-up/email', { name, email, password })).status).toBe(200)
  const link = findLink(await waitForMail(email, 'Confirm your address'))
  expect((await browser.press(link)).status).toBe(200)
  expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)
  return browser
}

async function newWorkspace(name: string): Promise<string> {
  return (await callData<{ id: string }>('POST /workspaces', { body: { name } })).id
}

const invite = (workspaceId: string, email: string, baseUrl?: string) =>
  callData<{ id: string }>(`POST /workspaces/${workspaceId}/invitations`, {
    body: { email, role: 'viewer' },
    ...(baseUrl && { baseUrl }),
  })

const invitations = (workspaceId: string) => callData<{ mail: string }[]>(`GET /workspaces/${workspaceId}/invitations`)

describe('every mail that the service sends', () => {
  test('an invitation', async () => {
    const [name, guest] = [uniqueText('Tower'), newAddress('guest')]
    const workspaceId = await newWorkspace(name)
    await invite(workspaceId, guest)
    const mail = await waitForMail(guest, name)
    expect(mail.subject).toMatch(/^\S.* invites you to Tower/)
    await expectValidMail(mail, { to: guest, link: /\/join\?token=[\w-]{43}$/ })
    await expect.poll(() => invitations(workspaceId)).toMatchObject([{ mail: 'sent' }])

    const browser = new Browser()
    expect((await browser.get(findLink(mail))).text).toContain(name)
    expect((await browser.press(findLink(mail))).status).toBe(200)
    expect(await callData(`GET /workspaces/${workspaceId}/members`)).toContainEqual(expect.objectContaining({ email: guest }))
  })

  test('a confirmation of the address after signing up', async () => {
    const email = newAddress('new')
    const browser = new Browser()
    await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password })
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(403)
    const mail = await waitForMail(email, 'Confirm your address')
    await expectValidMail(mail, { to: email, link: /\/verify\?token=\S+$/ })
    // Opening the link must change nothing, because mail programs open links too.
    expect((await browser.get(findLink(mail))).status).toBe(200)
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(403)
    expect((await browser.press(findLink(mail))).text).toContain('Confirmed')
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)
  })

  test('a link to set a new password', async () => {
    const email = newAddress('forgetful')
    const before = await signUp(email)
    await before.post('/auth/request-password-reset', { email })
    const mail = await waitForMail(email, 'Set your password')
    await expectValidMail(mail, { to: email, link: /\/reset\?token=\S+$/ })
    const changed = { password: 'eight bells at dawn' }
    expect((await before.press(findLink(mail), changed)).text).toContain('Password set')
    expect((await before.press(findLink(mail), changed)).status).toBe(400)
    const browser = new Browser()
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(401)
    expect((await browser.post('/auth/sign-in/email', { email, ...changed })).status).toBe(200)
  })

  test('signing up with an address that has an account informs its owner, not the caller', async () => {
    const [email, unknown] = [newAddress('owner'), newAddress('unknown')]
    await signUp(email)
    expect((await new Browser().post('/auth/request-password-reset', { email: unknown })).status).toBe(200)
    const taken = await new Browser().post('/auth/sign-up/email', { name: 'Mallory', email, password: 'another good one' })
    expect(taken.status).toBe(200)
    await expectValidMail(await waitForMail(email, 'Set your password'), { to: email, link: /\/reset\?token=\S+$/ })
    expect(await findMails(unknown)).toEqual([])
  })
})

/** Guarantee: a name is text in a mail and can never become a header, a recipient or HTML. */
describe('names', () => {
  const breakOut = '\r\nBcc: everybody@example.com\r\nX-Evil: yes\r\n\r\n<img src=x onerror=ring()>'

  test('of a workspace and of a person add nothing to the mail', async () => {
    const name = uniqueText('Spire')
    const browser = await signUp(newAddress('mallory'), `Mallory${breakOut}`)
    const made = await browser.post('/api/workspaces', { name: `${name}${breakOut}` })
    expect(made.status).toBe(201)
    const guest = newAddress('victim')
    const home = `/api/workspaces/${textAt(made.data, 'id')}/invitations`
    expect((await browser.post(home, { email: guest, role: 'viewer' })).status).toBe(201)

    const mail = await waitForMail(guest, name)
    await expectValidMail(mail, { to: guest, link: /\/join\?token=[\w-]{43}$/ })
    expect(mail.html).not.toMatch(/<img|onerror=|@example\.com\s*X-Evil/)
    expect(mail.subject).toMatch(/^Mallory Bcc everybody example com/)
    expect(await findMails('everybody@example.com')).toEqual([])
  })

  test('an address is one address', async () => {
    const workspaceId = await newWorkspace(uniqueText('Belfry'))
    for (const email of ['a@example.com\r\nBcc: b@example.com', 'a@example.com, b@example.com', 'A <a@example.com>']) {
      const reply = await call(`POST /workspaces/${workspaceId}/invitations`, { body: { email, role: 'viewer' } })
      expect([email, reply.status]).toEqual([email, 422])
    }
  })
})

/** Guarantee: no mail is lost while the mail server cannot be reached. */
test('a mail that an API process cannot send is sent by a worker', async () => {
  await using server = await startSecondServer({ CARILLON_SMTP_URL: 'smtp://127.0.0.1:9' })
  const [name, guest] = [uniqueText('Ruin'), newAddress('patient')]
  const workspaceId = await newWorkspace(name)
  await invite(workspaceId, guest, server.baseUrl)
  await expectValidMail(await waitForMail(guest, name), { to: guest, link: /\/join\?token=[\w-]{43}$/ })
  await expect.poll(() => invitations(workspaceId)).toMatchObject([{ mail: 'sent' }])
  expect(await findMails(guest)).toHaveLength(1)
  expect(await sendRequest('GET', findLink(await waitForMail(guest, name)), { key: null })).toMatchObject({ status: 200 })
}, 60_000)
