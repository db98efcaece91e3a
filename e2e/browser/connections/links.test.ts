import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { cardOf, openIntegrations } from './integrations.fixture.ts'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'an admin makes a link, sees it once, and allows where it may lead (%o)',
  async (options) => {
    // An address with a path is refused on purpose.
    const desk = await openDesk({ ...options, expects: [422] })
    const { page } = desk
    const person = await signInNewPerson(desk, { simulated: true })
    await openIntegrations(page, person)
    const links = page.getByRole('region', { name: 'Invite somebody to connect' })

    await links.getByText(/Where links may send people/).click()
    const origin = links.getByPlaceholder('https://app.example.com')
    await origin.fill('https://app.example.com/path')
    await links.getByRole('button', { name: 'Allow' }).click()
    await links.getByText('Must be an https origin').waitFor()
    await origin.fill('https://app.example.com')
    await links.getByRole('button', { name: 'Allow' }).click()
    await links.getByRole('button', { name: 'Do not allow https://app.example.com any more' }).waitFor()

    await links.getByRole('button', { name: 'Make a link' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'LinkedIn' }).click()
    await dialog.getByRole('textbox', { name: 'Your own id' }).fill('customer-7')
    await desk.check()
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    expect(await dialog.locator('code').first().textContent()).toContain('/integrations/link?token=')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await links.getByText('customer-7').waitFor()
    await desk.check()
  },
)

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: somebody without an account here connects theirs with a link (%o)',
  async (options) => {
    const admin = await openDesk(options)
    const person = await signInNewPerson(admin, { simulated: true })
    const made = await post(admin.context, '/api/connect-links', { platforms: ['linkedin', 'x'] }, person.workspaceId)
    const data = made.data as { url: string }

    const owner = await openDesk({ ...options, language: 'de' })
    const { page } = owner
    await page.goto(data.url)
    await page.getByText(person.workspace).first().waitFor()
    await owner.check()
    await page.getByRole('link', { name: 'X', exact: true }).click()
    await page.getByRole('button', { name: 'Weiter zu X' }).click()
    await page.getByRole('combobox', { name: 'Account' }).fill('bell-customer')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('heading', { name: '@bell-customer verbinden?' }).waitFor()
    await owner.check()
    await page.getByRole('button', { name: 'Verbinden' }).click()
    await page.getByRole('heading', { name: 'Verbunden' }).waitFor()
    await openIntegrations(admin.page, person)
    await cardOf(admin.page, 'bell-customer').waitFor()
    await admin.page.getByText('Used', { exact: true }).waitFor()
  },
)
