import { describe, expect, test } from 'vitest'
import { sendRequest, textAt } from '../support/send-request.ts'
import { Browser } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { readMailStructure, findMails, waitForMail, findLink, type Mail } from '../support/mailbox.ts'
import { startSecondServer } from '../support/second-server.ts'
import { uniqueText } from '../test-stack.ts'

const password = 'seven bells at dusk'
const someone = (who: string) => `${uniqueText(who).replace(' ', '-')}@example.com`

/** From us, to one reader, as text and as HTML that lead to the same place, and with no header but ours. */
async function expectLetter(letter: Mail, { to, link }: { to: string; link: RegExp }): Promise<void> {
  expect(letter.from).toMatchObject([{ address: 'bells@carillon.example', name: 'Carillon' }])
  expect(letter.to.map(({ address }) => address)).toEqual([to])
  expect(letter.envelope.to.map(({ address }) => address)).toEqual([to])
  expect(findLink(letter)).toMatch(link)
  expect(letter.html).toContain(`href="${findLink(letter)}"`)
  expect(await readMailStructure(letter)).toEqual({
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

describe('every mail we send', () => {
  test('an invitation', async () => {
    const [name, guest] = [uniqueText('Tower'), someone('guest')]
    const workspaceId = await newWorkspace(name)
    await invite(workspaceId, guest)
    const letter = await waitForMail(guest, name)
    expect(letter.subject).toMatch(/^\S.* invites you to Tower/)
    await expectLetter(letter, { to: guest, link: /\/invitations\/accept\?token=[\w-]{43}$/ })
    await expect.poll(() => invitations(workspaceId)).toMatchObject([{ mail: 'sent' }])

    const browser = new Browser()
    expect((await browser.get(findLink(letter))).text).toContain(name)
    expect((await browser.press(findLink(letter))).status).toBe(200)
    expect(await callData(`GET /workspaces/${workspaceId}/members`)).toContainEqual(expect.objectContaining({ email: guest }))
  })

  test('the address of somebody who signs up is confirmed', async () => {
    const email = someone('new')
    const browser = new Browser()
    await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password })
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(403)
    const letter = await waitForMail(email, 'Confirm your address')
    await expectLetter(letter, { to: email, link: /\/auth\/verify\?token=\S+$/ })
    // Opening the link changes nothing: programs that read mail do so too.
    expect((await browser.get(findLink(letter))).status).toBe(200)
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(403)
    expect((await browser.press(findLink(letter))).text).toContain('Confirmed')
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)
  })

  test('a new password', async () => {
    const email = someone('forgetful')
    const before = await signUp(email)
    await before.post('/auth/request-password-reset', { email })
    const letter = await waitForMail(email, 'Set your password')
    await expectLetter(letter, { to: email, link: /\/auth\/password\?token=\S+$/ })
    const changed = { password: 'eight bells at dawn' }
    expect((await before.press(findLink(letter), changed)).text).toContain('Password set')
    expect((await before.press(findLink(letter), changed)).status).toBe(400)
    const browser = new Browser()
    expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(401)
    expect((await browser.post('/auth/sign-in/email', { email, ...changed })).status).toBe(200)
  })

  test('signing up with an address that is taken tells its owner, not the caller', async () => {
    const [email, nobody] = [someone('owner'), someone('nobody')]
    await signUp(email)
    expect((await new Browser().post('/auth/request-password-reset', { email: nobody })).status).toBe(200)
    const taken = await new Browser().post('/auth/sign-up/email', { name: 'Mallory', email, password: 'another good one' })
    expect(taken.status).toBe(200)
    await expectLetter(await waitForMail(email, 'Set your password'), { to: email, link: /\/auth\/password\?token=\S+$/ })
    expect(await findMails(nobody)).toEqual([])
  })
})

/** Guarantee: a name is words in a mail, never a header, a recipient or a piece of HTML. */
describe('names', () => {
  const breakOut = '\r\nBcc: everybody@example.com\r\nX-Evil: yes\r\n\r\n<img src=x onerror=ring()>'

  test('of a workspace and of a person add nothing to the mail', async () => {
    const name = uniqueText('Spire')
    const browser = await signUp(someone('mallory'), `Mallory${breakOut}`)
    const made = await browser.post('/api/workspaces', { name: `${name}${breakOut}` })
    expect(made.status).toBe(201)
    const guest = someone('victim')
    const home = `/api/workspaces/${textAt(made.data, 'id')}/invitations`
    expect((await browser.post(home, { email: guest, role: 'viewer' })).status).toBe(201)

    const letter = await waitForMail(guest, name)
    await expectLetter(letter, { to: guest, link: /\/invitations\/accept\?token=[\w-]{43}$/ })
    expect(letter.html).toContain('&lt;img src=x onerror=ring()&gt;')
    expect(letter.subject).toContain('Mallory Bcc: everybody@example.com')
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

/** Guarantee: a mail server that is away loses no mail. */
test('what an API process cannot hand over, a worker does', async () => {
  await using server = await startSecondServer({ CARILLON_SMTP_URL: 'smtp://127.0.0.1:9' })
  const [name, guest] = [uniqueText('Ruin'), someone('patient')]
  const workspaceId = await newWorkspace(name)
  await invite(workspaceId, guest, server.baseUrl)
  await expectLetter(await waitForMail(guest, name), { to: guest, link: /\/invitations\/accept\?token=[\w-]{43}$/ })
  await expect.poll(() => invitations(workspaceId)).toMatchObject([{ mail: 'sent' }])
  expect(await findMails(guest)).toHaveLength(1)
  expect(await sendRequest('GET', findLink(await waitForMail(guest, name)), { key: null })).toMatchObject({ status: 200 })
}, 60_000)
