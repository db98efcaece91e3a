import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { callSimulator } from '../../test-stack.ts'
import { openDesk, origin } from '../rig/desk.ts'
import { operatorEmail } from '../rig/operator-email.ts'
import { signInNewPerson } from '../rig/people.ts'

const platform = 'linkedin'
let cleanUp: (() => Promise<unknown>) | null = null
afterEach(async () => {
  await cleanUp?.()
  cleanUp = null
  await callSimulator('POST', 'settings', { platform, app: null })
})

const words = {
  en: {
    settings: 'Platforms',
    redirect: 'Redirect URL',
    id: 'Client ID',
    secret: 'Primary Client Secret',
    save: 'Check and save',
    refused: 'LinkedIn does not accept id and secret',
    says: 'LinkedIn says: Client authentication failed',
    accepted: 'LinkedIn accepts id and secret',
    entered: 'Ready, entered here',
    connect: 'Connect an account',
    confirm: (handle: string) => `Connect ${handle}`,
    review: 'Show the steps',
    form: 'Apply for the Community Management API',
  },
  de: {
    settings: 'Plattformen',
    redirect: 'Redirect-URL',
    id: 'Client ID',
    secret: 'Primary Client Secret',
    save: 'Prüfen und speichern',
    refused: 'LinkedIn nimmt ID und Secret nicht an',
    says: 'LinkedIn sagt: Client authentication failed',
    accepted: 'LinkedIn nimmt ID und Secret an',
    entered: 'Bereit, hier eingetragen',
    connect: 'Konto verbinden',
    confirm: (handle: string) => `${handle} verbinden`,
    review: 'Schritte zeigen',
    form: 'Die Community Management API beantragen',
  },
} as const

/** What the page says under this name, as a person would copy it into the console of the platform. */
async function shown(page: Page, name: string): Promise<string> {
  return page.locator('dl > div').filter({ hasText: name }).first().locator('code').innerText()
}

test.each([
  { language: 'en', phone: false, dark: false },
  { language: 'de', phone: true, dark: true },
] as const)(
  'guarantee: an operator sets a platform up and connects its first account with nothing but the page (%o)',
  async (options) => {
    const say = words[options.language]
    const desk = await openDesk(options)
    const { page, context } = desk
    const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail })
    cleanUp = async () => context.request.delete(`/operator/platforms/${platform}/app`, { headers: { origin } })
    await page.goto(`/w/${workspaceId}/settings`)
    await page.getByRole('link', { name: say.settings, exact: true }).click()
    await page.getByRole('link', { name: 'Bluesky' }).waitFor()
    await desk.check()
    await page.getByRole('link', { name: 'LinkedIn' }).click()

    // The console of the platform is given what the page shows, and makes an id and a secret.
    const redirect = await shown(page, say.redirect)
    expect(redirect).toBe(`${origin}/integrations/linkedin/callback`)
    const app = { clientId: `86${randomBytes(6).toString('hex')}`, clientSecret: `WPL_AP1.${randomBytes(8).toString('hex')}==` }
    await callSimulator('POST', 'settings', { platform, app: { ...app, redirectUris: [redirect] } })
    await page.getByText(say.review).click()
    await page.getByRole('heading', { name: say.form }).waitFor()
    await desk.check()

    await page.getByLabel(say.id, { exact: true }).fill(app.clientId)
    await page.getByLabel(say.secret, { exact: true }).fill('WPL_AP1.the-secret-of-another-app==')
    await page.getByRole('button', { name: say.save }).click()
    const refusal = page.getByRole('alert').filter({ hasText: say.refused })
    await refusal.getByText(say.says).waitFor()
    await desk.check()

    await page.getByLabel(say.secret, { exact: true }).fill(app.clientSecret)
    await page.getByRole('button', { name: say.save }).click()
    await page.getByRole('status').filter({ hasText: say.accepted }).waitFor()
    await page.getByText(say.entered).waitFor()
    expect(await page.getByLabel(say.secret, { exact: true }).inputValue()).toBe('')
    expect(await page.content()).not.toContain(app.clientSecret)
    await desk.check()

    const handle = `first-${randomBytes(4).toString('hex')}`
    await page.getByRole('button', { name: say.connect }).click()
    await page.getByRole('combobox', { name: 'Account' }).fill(handle)
    await page.getByText(app.clientId).waitFor()
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('button', { name: say.confirm(handle) }).click()
    await page.getByRole('status').filter({ hasText: handle }).waitFor()
    await desk.check()
  },
)

test('another id tells how many accounts it concerns before it is saved, and removing asks first', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail, simulated: true })
  const path = `/operator/platforms/${platform}/app`
  cleanUp = async () => context.request.delete(path, { headers: { origin } })
  await context.request.put(path, { headers: { origin }, data: { clientId: '86abcdefghij', clientSecret: 'WPL_AP1.x==' } })
  await page.goto(`/w/${workspaceId}/settings/platforms?platform=${platform}`)
  await page.getByText('Leave it empty to keep the secret that is stored.').waitFor()
  await page.getByLabel('Client ID', { exact: true }).fill('WPL_AP1.something')
  await page.getByText('This is the secret. The id is shorter.').waitFor()
  await page.getByText('This is another app than the one before').waitFor()
  await page.getByText(/If it was another one, (it|they) must be connected again/).waitFor()
  await desk.checkBothThemes()

  await page.getByRole('button', { name: 'Remove the app' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Nobody can connect accounts of LinkedIn any more.').waitFor()
  await desk.check()
  await dialog.getByRole('button', { name: 'Remove the app' }).click()
  await page.getByText('Simulated', { exact: true }).first().waitFor()
})

test('an operator comes from the integrations to the page of a platform that is not set up', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail })
  // Every platform of the stack is simulated, so the answer is changed on its way.
  await page.route('**/api/platforms', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { platform: string; connect: object }[] }
    const changed = data.map((info) =>
      info.platform === 'x' ? { ...info, connect: { ...info.connect, available: false } } : info,
    )
    await route.fulfill({ response, json: { ...rest, data: changed } })
  })
  await page.goto(`/w/${workspaceId}/integrations`)
  await page.getByRole('link', { name: 'How to set it up X' }).click()
  await page.getByRole('heading', { name: 'Switch OAuth 2.0 on' }).waitFor()
  await desk.check()
})

test('an app of the environment is shown as such and cannot be changed here', async () => {
  const desk = await openDesk({ dark: true })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { email: operatorEmail })
  // The stack has no app in its environment, so the answer is changed on its way.
  await page.route('**/operator/platforms', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { platform: string }[] }
    const app = { clientId: 'id-of-environment', isVetted: false, source: 'environment', enteredAt: null }
    await route.fulfill({
      response,
      json: { ...rest, data: data.map((each) => (each.platform === 'x' ? { ...each, app } : each)) },
    })
  })
  await page.goto(`/w/${workspaceId}/settings/platforms?platform=x`)
  await page.getByText('CARILLON_APP_X names the app id-of-environment.').waitFor()
  expect(await page.getByRole('button', { name: 'Check and save' }).count()).toBe(0)
  await desk.check()
})

test('guarantee: a person who is no operator sees neither the link nor the apps', async () => {
  const desk = await openDesk({ expects: [403] })
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/settings/platforms`)
  await page.getByText('Only the operators of this installation can see this.').waitFor()
  expect(await page.getByRole('link', { name: 'Platforms', exact: true }).count()).toBe(0)
  expect((await context.request.get('/operator/platforms')).status()).toBe(403)
  await desk.check()
})
