import { expect, test } from 'vitest'
import { addVirtualAuthenticator } from '../rig/add-virtual-authenticator.ts'
import { openDesk, origin, type Desk } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'
import { goodPassword, post, signIn, signInNewPerson } from '../rig/people.ts'
import { totp } from '../rig/totp.ts'

async function fillIn({ page }: Desk, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test.each([{ dark: false }, { phone: true, dark: true }])(
  'a wrong password is explained, the right one opens the page that was asked for (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [401] })
    const { email, workspaceId } = await signInNewPerson(desk)
    await desk.context.clearCookies()
    const { page } = desk
    await page.goto(`/w/${workspaceId}/media`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await fillIn(desk, email, 'not my password')
    await page.getByText('The email address or the password is wrong').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(email)
    await desk.check()
    // From the top of the page, with the keyboard alone.
    await page.reload()
    await typeInto(page, page.getByLabel('E-mail address'), email)
    await typeInto(page, page.getByLabel('Password', { exact: true }), goodPassword)
    await pressOn(page, page.getByRole('button', { name: 'Sign in', exact: true }))
    await page.getByRole('heading', { name: 'Media' }).waitFor()
    await desk.check()
  },
)

test('guarantee: what is missing is said at each field, in the language of the page', async () => {
  const desk = await openDesk()
  const { page } = desk
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  const missing = page.getByText('Fülle dieses Feld aus.')
  await missing.first().waitFor()
  expect(await missing.count()).toBe(2)
  const email = page.getByLabel('E-Mail-Adresse')
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
  await desk.checkBothThemes()
  await email.fill('ada')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByText('Schreib eine E-Mail-Adresse, etwa ada@example.com.').waitFor()
  // What was mended is no longer called wrong, before it is sent again.
  await email.fill('ada@example.com')
  await page.getByText('Schreib eine E-Mail-Adresse').waitFor({ state: 'detached' })
  expect(await missing.count()).toBe(1)
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Konto anlegen' }).click()
  await missing.first().waitFor()
  expect(await missing.count()).toBe(3)
})

test('guarantee: a language that a person chooses while creating a workspace stays', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  await signInNewPerson(desk)
  const stored = await context.request.patch('/api/me', { data: { locale: 'en' }, headers: { origin } })
  expect(stored.ok()).toBe(true)
  await page.goto('/new-workspace')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('textbox').fill('Zweiter Turm')
  await page.getByRole('button', { name: 'Arbeitsbereich anlegen' }).click()
  await page.waitForURL('**/start')
  await page.getByRole('link', { name: 'Kalender' }).first().waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Kalender' }).first().waitFor()
  // The stored language is applied when it is loaded.
  await page.waitForLoadState('networkidle')
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
})

test('guarantee: signing out ends the login on the server, in all tabs, and nothing of the person stays in the browser', async () => {
  // The stream of live changes of the other tab is refused once.
  const desk = await openDesk({ expects: [401] })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page, context } = desk
  await page.goto(`/w/${workspaceId}/calendar`)
  const other = await context.newPage()
  await other.goto(`/w/${workspaceId}/posts`)
  await other.getByRole('heading', { level: 1 }).waitFor()
  const cookies = await context.cookies()
  await page.goto(`/w/${workspaceId}/compose`)
  await page.locator('#compose-text').fill('Not for the next person')
  const kept = () => page.evaluate(() => Object.entries(localStorage).map(String).join(' '))
  await expect.poll(kept).toContain('Not for the next person')
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await kept()).not.toMatch(/Not for the next person|carillon\.(?:compose|accounts|workspace|zones)/)
  await context.addCookies(cookies)
  const answer = await context.request.get('/api/workspaces')
  expect(answer.status()).toBe(401)
})

test('guarantee: a session that ends while a page is open asks to sign in above it, and nothing is lost', async () => {
  const desk = await openDesk({ expects: [401] })
  const { email, workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}/start`)
  const button = page.getByRole('button', { name: 'Try it with simulated accounts' })
  await button.waitFor()
  const elsewhere = await openDesk()
  await signIn(elsewhere.context, email)
  await post(elsewhere.context, '/auth/revoke-other-sessions', {})
  await button.click()
  const dialog = page.getByRole('dialog', { name: 'You were signed out' })
  await dialog.waitFor()
  await desk.check()
  await fillIn(desk, email)
  await dialog.waitFor({ state: 'detached' })
  await button.click()
  await page.waitForURL(/\/compose$/)
})

test('the second factor is asked for after the password, and a wrong code can be corrected', async () => {
  const desk = await openDesk({ expects: [401] })
  const { email, workspaceId } = await signInNewPerson(desk)
  const { totpURI } = (await post(desk.context, '/auth/two-factor/enable', { password: goodPassword })) as { totpURI?: string }
  const secret = new URL(totpURI ?? '').searchParams.get('secret') ?? ''
  await post(desk.context, '/auth/two-factor/verify-totp', { code: totp(secret) })
  await desk.context.clearCookies()
  const { page } = desk
  await page.goto(`/w/${workspaceId}/posts`)
  await fillIn(desk, email)
  await page.getByLabel('Code of your authenticator app').fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This is not the right code').waitFor()
  await desk.check()
  await page.getByLabel('Code of your authenticator app').fill(totp(secret, 'next'))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
})

test('a passkey signs in without a password', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/calendar`)
  await addVirtualAuthenticator(desk)
  // The settings have the button for this; here only the sign-in page is tested.
  await page.evaluate(async (password) => {
    const headers = { 'content-type': 'application/json' }
    const asked = await fetch('/auth/passkey/generate-register-options', {
      method: 'POST',
      headers,
      body: JSON.stringify({ password }),
    })
    const options = (await asked.json()) as PublicKeyCredentialCreationOptionsJSON
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const body = JSON.stringify({ response: made.toJSON() as unknown, name: 'Test' })
    await fetch('/auth/passkey/verify-registration', { method: 'POST', headers, body })
  }, goodPassword)
  // The calendar may still load something, which would be refused without the cookies.
  await page.goto('about:blank')
  await context.clearCookies()
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
})
