import { expect, test } from 'vitest'
import { callSimulator } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'
import { signInNewPerson } from '../rig/people.ts'
import { cardOf, openIntegrations } from './integrations.fixture.ts'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: an account is stored only after a person has seen its name and the workspace (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const person = await signInNewPerson(desk)
    const connections = `/api/workspaces/${person.workspaceId}/connections`
    await page.goto(`/w/${person.workspaceId}/integrations`)
    await page.getByRole('heading', { name: 'No accounts yet' }).waitFor()
    await desk.check()

    await page.getByRole('button', { name: 'Connect LinkedIn' }).click()
    await page.getByRole('combobox', { name: 'Account' }).fill('bell-tower')
    await page.getByRole('button', { name: 'Authorize' }).click()

    await page.getByRole('heading', { name: 'Connect this account?' }).waitFor()
    await page.getByText(`The members of the workspace “${person.workspace}” will be able to publish on LinkedIn`).waitFor()
    const stored = (await (await page.request.get(connections)).json()) as { data: unknown[] }
    expect(stored.data).toEqual([])
    await desk.check()

    await page.getByRole('button', { name: 'Connect bell-tower' }).click()
    await page.getByRole('status').filter({ hasText: 'bell-tower is connected' }).waitFor()
    await cardOf(page, 'bell-tower').getByText('Connected', { exact: true }).waitFor()
    await desk.check()
  },
)

test('a refused consent shows the platform’s words, the address to compare and a way to try again', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/integrations`)
  await page.getByRole('button', { name: 'Connect LinkedIn' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('heading', { name: 'Not connected' }).waitFor()
  await page.getByRole('alert').getByText('The user denied access.').waitFor()
  await page.getByText('/integrations/linkedin/callback').waitFor()
  await page.getByText('w_member_social').waitFor()
  await desk.check()

  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('combobox', { name: 'Account' }).fill('second-thought')
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('button', { name: 'Connect second-thought' }).click()
  await cardOf(page, 'second-thought').waitFor()
})

test('a wrong app password is explained in the form, and the right one connects, by keyboard alone', async () => {
  const desk = await openDesk({ expects: [422] })
  const { page } = desk
  const person = await signInNewPerson(desk)
  const handle = `ringer-${Date.now()}`
  const account: unknown = await callSimulator('POST', 'accounts', { platform: 'bluesky', handle })
  const { credentials } = account as { credentials: { extra: { password: string } } }
  await page.goto(`/w/${person.workspaceId}/integrations`)
  await pressOn(page, page.getByRole('button', { name: 'Connect Bluesky' }))
  const dialog = page.getByRole('dialog')
  await typeInto(page, dialog.getByLabel('Handle or e-mail'), handle)
  await typeInto(page, dialog.getByLabel('App password'), 'not the password')
  await pressOn(page, dialog.getByRole('button', { name: 'Connect', exact: true }))
  await dialog.getByRole('alert').getByText('Bluesky refused the sign-in').waitFor()
  // The reason is ours, and is not put into the platform's mouth.
  expect(await dialog.getByRole('alert').innerText()).not.toContain('says:')
  expect(await dialog.getByLabel('Handle or e-mail').inputValue()).toBe(handle)
  await desk.check()

  await typeInto(page, dialog.getByLabel('App password'), credentials.extra.password)
  await page.keyboard.press('Enter')
  await cardOf(page, handle).waitFor()
})

test('guarantee: a bot that may not post in its channel is told in the form, not with the first post', async () => {
  const desk = await openDesk({ expects: [422] })
  const { page } = desk
  const person = await signInNewPerson(desk)
  await page.goto(`/w/${person.workspaceId}/integrations`)
  await page.getByRole('button', { name: 'Connect Telegram' }).click()
  const dialog = page.getByRole('dialog')
  const enter = async (handle: string) => {
    const opened: unknown = await callSimulator('POST', 'accounts', { platform: 'telegram', handle })
    const { credentials } = opened as { credentials: { accessToken: string } }
    await dialog.getByLabel('Token of the bot').fill(credentials.accessToken)
    await dialog.getByLabel('Channel or group').fill(`https://t.me/${handle}`)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  }
  const handle = `tower_${Date.now()}`
  await enter(`muted_${handle}`)
  await dialog.getByRole('alert').getByText('does not let the bot post in this chat').waitFor()
  await desk.checkBothThemes()
  await enter(handle)
  await cardOf(page, handle).waitFor()
})

test('a platform that is not set up leads to the page that explains its settings', async () => {
  const desk = await openDesk({ dark: true })
  const { page } = desk
  const person = await signInNewPerson(desk, { simulated: true })
  // Every platform of the stack is simulated, so the answer is changed on its way.
  await page.route('**/api/platforms', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: { platform: string; connect: object }[] }
    const changed = data.map((info) =>
      info.platform === 'x' ? { ...info, connect: { ...info.connect, available: false } } : info,
    )
    await route.fulfill({ response, json: { ...rest, data: changed } })
  })
  await openIntegrations(page, person)
  await page.getByRole('link', { name: 'How to set it up X' }).click()
  await page.getByRole('heading', { name: 'Set up platforms' }).waitFor()
  const section = page.getByRole('region', { name: 'X', exact: true })
  await section.getByText('CARILLON_APP_X=client-id:client-secret').waitFor()
  await section.getByText('/integrations/x/callback').waitFor()
  await desk.check()
})
