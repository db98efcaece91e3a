import { expect, test } from 'vitest'
import { addVirtualAuthenticator } from '../rig/add-virtual-authenticator.ts'
import { openDesk } from '../rig/desk.ts'
import { goodPassword, signIn, signInNewPerson } from '../rig/people.ts'
import { totp } from '../rig/totp.ts'

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: second factor, passkey, sessions and password are managed in the settings (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [400, 401, 403] })
    const { page } = desk
    const { workspaceId, email } = await signInNewPerson(desk)
    const elsewhere = await openDesk()
    await signIn(elsewhere.context, email)
    await page.goto(`/w/${workspaceId}/settings/security`)
    await page.getByText('This device').waitFor()
    await desk.check()

    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('All other devices are signed out').waitFor()
    expect((await elsewhere.context.request.get('/api/workspaces')).status()).toBe(401)

    await addVirtualAuthenticator(desk)
    await page.getByLabel('Name of the passkey').fill('My laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('not my password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Confirm that it is you').waitFor()
    await desk.check()
    await dialog.getByLabel('Your password').fill(goodPassword)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('list', { name: 'Passkeys' }).getByText('My laptop').waitFor()
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await dialog.getByLabel('Your password').fill(goodPassword)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('list', { name: 'Passkeys' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Set it up' }).click()
    await page.getByLabel('Your password').fill(goodPassword)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await desk.check()
    const secret = await page.getByLabel('Secret').inputValue()
    await page.getByLabel('Code of your authenticator app').fill('000000')
    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByText('This is not the right code').waitFor()
    await page.getByLabel('Code of your authenticator app').fill(totp(secret))
    await page.getByRole('button', { name: 'Switch it on' }).click()
    await page.getByText('Your backup codes').waitFor()
    await desk.check()
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByRole('button', { name: 'Switch it off' }).waitFor()

    await page.getByLabel('Current password').fill('not my password')
    await page.getByLabel('New password').fill('nine bells at dawn')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Current password').fill(goodPassword)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed').waitFor()
  },
)

test('guarantee: an account is erased only when no workspace is left without an owner', async () => {
  const desk = await openDesk({ expects: [400, 401, 403, 409, 422] })
  const { page } = desk
  const { workspaceId, workspace } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/settings/security`)
  await page.getByRole('button', { name: 'Erase the account' }).click()
  await page.getByLabel('Your password').fill(goodPassword)
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await desk.check()

  await page.goto(`/w/${workspaceId}/settings`)
  await page.getByRole('button', { name: 'Delete the workspace' }).click()
  await page.getByLabel(/to confirm/).fill(workspace)
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('heading', { name: 'New workspace' }).waitFor()
})

test('guarantee: language and theme change at once and are stored with the person', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/settings/profile`)
  await page.getByRole('combobox', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Dark' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
  await desk.check()
  const { data } = (await (await desk.context.request.get('/api/me')).json()) as { data: object }
  expect(data).toMatchObject({ locale: 'de', theme: 'dark' })
})
