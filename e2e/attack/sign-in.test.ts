import { afterAll, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { createSender } from '../support/send-from.ts'
import { testStack, uniqueText } from '../test-stack.ts'

/** Guarantee: strangers who try passwords are slowed down and lock out nobody but themselves. */
const origin = testStack.baseUrl.replace(/\/api$/, '')
const password = 'seven bells at dusk'
const stranger = createSender('127.0.0.21')
const elsewhere = createSender('127.0.0.22')
afterAll(() => {
  stranger.close()
  elsewhere.close()
})

type Sender = ReturnType<typeof createSender>

const signIn = ({ send }: Sender, email: string, guess: string, cookie?: string) =>
  send({
    method: 'POST',
    path: '/auth/sign-in/email',
    headers: { origin, ...(cookie && { cookie }) },
    body: JSON.stringify({ email, password: guess }),
  })

async function signUp(): Promise<{ email: string; browser: Browser }> {
  const email = `${uniqueText('lockout').replace(' ', '-')}@example.com`
  const browser = new Browser()
  await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password })
  await browser.press(findLink(await waitForMail(email, 'Confirm your address')))
  expect((await browser.post('/auth/sign-in/email', { email, password })).status).toBe(200)
  return { email, browser }
}

test('wrong passwords of a stranger lock out the stranger, and not the person', async () => {
  const { email, browser } = await signUp()
  const statuses = []
  for (let n = 0; n < 30; n++) statuses.push((await signIn(stranger, email, `wrong ${n}`)).status)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
  expect((await signIn(stranger, email, password)).status).toBe(429)
  expect((await signIn(elsewhere, email, password)).status).toBe(200)
  // The person's own device works even in the stranger's network.
  expect((await signIn(stranger, email, password, browser.cookie)).status).toBe(200)
})

test('sign-outs of strangers do not keep a person in the same network from signing out and in', async () => {
  const { email, browser } = await signUp()
  const { send, close } = createSender('127.0.0.24')
  const signOut = (cookie?: string) =>
    send({ method: 'POST', path: '/auth/sign-out', headers: { origin, ...(cookie && { cookie }) }, body: '{}' })
  const statuses = []
  for (let n = 0; n < 100; n++) statuses.push((await signOut()).status)
  expect(statuses).toContain(429)
  expect((await signOut(browser.cookie)).status).toBe(200)
  expect((await signIn({ send, close }, email, password, browser.cookie)).status).toBe(200)
  close()
})

/** Guarantee: a thief of a session cookie gets no way to sign in of their own, and takes none from the person. */
test('a stolen session neither adds a passkey nor removes what protects the account', async () => {
  const { browser } = await signUp()
  const thief = new Browser()
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  const [account] = JSON.parse((await thief.open('GET /auth/list-accounts')).text) as [{ id: string }]

  expect((await thief.open('GET /auth/passkey/generate-register-options')).status).toBe(404)
  for (const [path, body] of [
    ['/auth/passkey/generate-register-options', {}],
    ['/auth/passkey/generate-register-options', { password: 'a guess of the thief' }],
    ['/auth/passkey/delete-passkey', { id: 'any' }],
    ['/auth/unlink-account', { accountId: account.id }],
  ] as const) {
    const { status, code } = await thief.post(path, body)
    expect([path, status, code]).toEqual([path, 403, 'confirmation_required'])
  }
  for (const path of ['/auth/two-factor/enable', '/auth/two-factor/disable', '/auth/two-factor/generate-backup-codes'])
    expect((await thief.post(path, { password: 'a guess of the thief' })).status).toBe(400)

  const options = await browser.post('/auth/passkey/generate-register-options', { password })
  expect([options.status, JSON.parse(options.text)]).toMatchObject([200, { challenge: expect.any(String) }])
  const { data } = await browser.open('GET /auth/activity')
  expect(data).toContainEqual(expect.objectContaining({ action: 'password.wrong', detail: 'adding a passkey' }))
})
