import { expect, test } from 'vitest'
import { callSimulator } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn, tabTo, typeInto } from '../rig/keyboard.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { cardOf, openIntegrations } from './integrations.fixture.ts'

type Listed = { id: string; slug: string; platform: string; handle: string }

test('guarantee: an expired account says what waits for it, and works again after reconnecting', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const person = await signInNewPerson(desk, { simulated: true })
  const answer = await page.request.get(`/api/workspaces/${person.workspaceId}/connections`)
  const { data } = (await answer.json()) as { data: Listed[] }
  const { slug, handle } = data.find(({ platform }) => platform === 'x') ?? { slug: '', handle: '' }
  const write = (body: object) =>
    post(context, '/api/content/text', { text: `Bells ${slug}`, connections: [slug], ...body }, person.workspaceId)
  await write({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  for (const kind of ['access', 'refresh']) await callSimulator('POST', 'tokens/expire', { platform: 'x', handle, kind })
  await write({})

  const card = cardOf(page, 'X · @')
  await expect
    .poll(
      async () => {
        await openIntegrations(page, person)
        return card.textContent()
      },
      { timeout: 30_000, interval: 1000 },
    )
    .toContain('Needs reconnecting')
  await card.getByText('2 scheduled posts wait for this account.').waitFor()
  await desk.check()

  await card.getByRole('button', { name: /^Reconnect/ }).click()
  await page.getByRole('combobox', { name: 'Account' }).fill(handle)
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('button', { name: `Connect ${handle}` }).click()
  await card.getByText('Connected', { exact: true }).waitFor()
  await card.getByText('1 post scheduled').waitFor()
})

test('disconnecting says what happens to scheduled posts, and the focus stays in the list', async () => {
  const desk = await openDesk({ phone: true })
  const { page } = desk
  const person = await signInNewPerson(desk, { simulated: true })
  await openIntegrations(page, person)
  await desk.check()
  await page.getByRole('button', { name: /^More for .* on Threads$/ }).click()
  await page.getByRole('menuitem', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('No posts are scheduled for it.').waitFor()
  await desk.check()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await cardOf(page, 'Threads · @').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('accounts')
})

test.each([{ dark: false }, { dark: true, phone: true }])(
  'an API key is shown once, works, and stops working when it is revoked, by keyboard alone (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const person = await signInNewPerson(desk, { simulated: true })
    await openIntegrations(page, person)
    await pressOn(page, page.getByRole('button', { name: 'Create a key' }))
    const dialog = page.getByRole('dialog')
    // The dialog is loaded when it is opened first, which takes a busy machine longer than a poll waits.
    await dialog.getByRole('radio', { name: 'Only this' }).waitFor({ state: 'attached' })
    // Without a choice it may only do what most programs need.
    await expect.poll(() => dialog.getByRole('radio', { name: 'Only this' }).isChecked()).toBe(true)
    for (const name of ['Read posts', 'Write and publish posts'])
      await expect.poll(() => dialog.getByRole('checkbox', { name }).isChecked()).toBe(true)
    expect(await dialog.getByRole('group', { name: 'What it may do' }).getByRole('checkbox', { checked: true }).count()).toBe(2)
    await typeInto(page, dialog.getByLabel('What is it for?'), 'Nightly script')
    await page.keyboard.press('Tab')
    for (let presses = 0; presses < 5 && !(await dialog.getByRole('radio', { name: 'Only this' }).isChecked()); presses++)
      await page.keyboard.press('ArrowDown')
    await tabTo(page, dialog.getByRole('checkbox', { name: 'See the workspace' }))
    await page.keyboard.press('Space')
    await desk.check()
    await pressOn(page, dialog.getByRole('button', { name: 'Create the key' }))
    const key = (await dialog.locator('code').textContent()) ?? ''
    await desk.check()
    await pressOn(page, dialog.getByRole('button', { name: 'I have copied it' }))
    expect(await page.content()).not.toContain(key)

    const address = `${new URL(page.url()).origin}/api/workspaces/${person.workspaceId}/connections`
    const use = () => fetch(address, { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status)
    expect(await use()).toBe(200)
    const row = page.getByRole('region', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Nightly script' })
    await row.getByText('workspaces:read').waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Revoke' }))
    await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }))
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    expect(await use()).toBe(401)
  },
)

test.each([{ dark: false }, { dark: true, phone: true }])(
  'guarantee: a key is narrowed in plain words, the list says how, and the key is held to it (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const person = await signInNewPerson(desk, { simulated: true })
    await openIntegrations(page, person)
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What is it for?').fill('Agent')
    await dialog.getByRole('checkbox', { name: 'Only for certain accounts' }).click()
    // Nothing is chosen yet, so the key would be for nothing.
    await expect.poll(() => dialog.getByRole('button', { name: 'Create the key' }).isDisabled()).toBe(true)
    await dialog
      .getByRole('list', { name: 'Only for certain accounts' })
      .getByRole('listitem')
      .filter({ hasText: 'Mastodon' })
      .getByRole('checkbox')
      .click()
    await dialog.getByRole('checkbox', { name: 'Only so many posts a day' }).click()
    await dialog.getByRole('textbox', { name: 'Posts a day' }).fill('1')
    await dialog.getByRole('checkbox', { name: /Only at certain hours/ }).click()
    await dialog.getByLabel('From', { exact: true }).waitFor()
    await desk.check()
    await dialog.getByRole('checkbox', { name: /Only at certain hours/ }).click()
    await expect.poll(() => dialog.getByRole('checkbox', { name: /^Only in / }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    const key = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('region', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Agent' })
    await row.getByText(/^Only for .* · At most 1 post a day$/).waitFor()
    await desk.check()

    const answer = await page.request.get(`/api/workspaces/${person.workspaceId}/connections`)
    const { data } = (await answer.json()) as { data: Listed[] }
    const slugOf = (wanted: string) => data.find(({ platform }) => platform === wanted)?.slug
    const send = async (platform: string) => {
      const reply = await fetch(`${new URL(page.url()).origin}/api/content/text`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'x-workspace-id': person.workspaceId,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ connections: [slugOf(platform)], text: `Bells on ${platform}` }),
      })
      const { error } = (await reply.json()) as { error?: { code: string } }
      return error?.code ?? 'ok'
    }
    expect([await send('x'), await send('mastodon'), await send('mastodon')]).toEqual([
      'connection_not_allowed',
      'ok',
      'key_limit_reached',
    ])
  },
)

test('a key for drafts says so, and asks nothing about publishing', async () => {
  const desk = await openDesk()
  const { page } = desk
  const person = await signInNewPerson(desk, { simulated: true })
  await openIntegrations(page, person)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What is it for?').fill('Writer')
  await dialog.getByRole('checkbox', { name: 'Drafts only' }).click()
  await dialog.getByRole('checkbox', { name: 'Write drafts' }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'Only so many posts a day' }).count()).toBe(0)
  await desk.check()
  await dialog.getByRole('button', { name: 'Create the key' }).click()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  const row = page.getByRole('region', { name: 'API keys' }).getByRole('listitem').filter({ hasText: 'Writer' })
  await row.getByText('drafts only').waitFor()
  await row.getByText('content:read, content:draft').waitFor()
})

test.each([{ phone: false }, { phone: true, dark: true }])(
  'an admin enters an app of their own by keyboard, and removes it (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const person = await signInNewPerson(desk)
    await openIntegrations(page, person)
    const apps = page.getByRole('region', { name: 'Apps of your own' })
    await apps.getByRole('button', { name: 'Use your own app X' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your own app on X' })
    await dialog.getByText('/integrations/x/callback').waitFor()
    await desk.check()
    await dialog.getByRole('textbox', { name: 'Client ID' }).fill('bells-of-ada')
    await dialog.getByLabel('Client secret').fill('a-secret')
    await page.keyboard.press('Enter')
    await apps.getByText('bells-of-ada').waitFor()
    await desk.check()
    await apps.getByRole('button', { name: 'Remove X' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the app' }).press('Enter')
    await apps.getByText('New accounts use the app of this installation.').waitFor()
  },
)
