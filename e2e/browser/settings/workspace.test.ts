import { expect, test } from 'vitest'
import { queryDatabase } from '../../support/query-database.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { chooseTime } from '../rig/choose-time.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'
import { newEmail, post, signInNewPerson } from '../rig/people.ts'
import { createPost } from '../rig/posts.ts'

const receiver = useWebhookReceiver()

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: name, zone, late policy, members and the audit log of a workspace (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk)
    await page.goto(`/w/${workspaceId}/settings`)
    await page.getByLabel('Name', { exact: true }).fill('Belfry')
    await chooseTime(page, { zone: 'tokyo' })
    await page.getByRole('radio', { name: /Hold them back/ }).click()
    await page.getByLabel('When late by more than').fill('90')
    await desk.check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { data } = (await (await desk.context.request.get('/api/workspaces')).json()) as { data: object[] }
    expect(data).toMatchObject([{ name: 'Belfry', timezone: 'Asia/Tokyo', holdIfLateMinutes: 90 }])

    const email = newEmail()
    await pressOn(page, page.getByRole('link', { name: 'Members' }))
    await typeInto(page, page.getByLabel('E-mail address'), email)
    await pressOn(page, page.getByRole('button', { name: 'Invite' }))
    const invitations = page.getByRole('list', { name: 'Invitations' })
    await invitations.getByText(email).waitFor()
    await desk.check()
    await invitations.getByRole('button', { name: /Withdraw/ }).press('Enter')
    await invitations.waitFor({ state: 'detached' })

    await page.goto(`/w/${workspaceId}/settings/audit?action=invitation`)
    await page.getByRole('cell', { name: 'Withdrew an invitation' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(3)
    await desk.check()
    // What a change was about has a name or a link, not only an id.
    const id = await createPost(desk, { workspaceId, text: 'Evensong at six', saveDraft: true })
    await page.goto(`/w/${workspaceId}/settings/audit?action=post`)
    await desk.check()
    await page.getByRole('link', { name: 'Show the post' }).click()
    await page.waitForURL(`**/posts/${id}`)
    const { data: queue } = await post(desk.context, '/api/queues', { name: 'Mornings' }, workspaceId)
    await page.goto(`/w/${workspaceId}/settings/audit?action=queue`)
    const row = page.getByRole('row').filter({ hasText: 'Created a queue' })
    await row.getByText('Mornings').waitFor()
    await row.getByText((queue as { id: string }).id).waitFor()
    await desk.check()
    await page.goto(`/w/${workspaceId}/settings`)
    await page.getByRole('button', { name: 'Delete the workspace' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  },
)

test('guarantee: the audit log is narrowed to days by our own field, which looks back, and by that of the system on a phone', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/settings/audit`)
  const log = page.getByRole('region', { name: 'Audit log' }).getByRole('row')
  await log.nth(1).waitFor()
  const from = page.getByRole('textbox', { name: 'From', exact: true })
  expect(await from.getAttribute('type')).not.toBe('date')
  // A day that has been can be chosen, tomorrow cannot.
  await from.focus()
  await page.keyboard.press('Alt+ArrowDown')
  const days = page.getByRole('dialog', { name: 'Choose a day' })
  const today = days.locator('[aria-current="date"]')
  await expect.poll(() => today.evaluate((cell) => cell === document.activeElement)).toBe(true)
  await desk.checkBothThemes()
  await page.keyboard.press('ArrowRight')
  expect(await days.locator('button:focus').getAttribute('aria-disabled')).toBe('true')
  for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await days.waitFor({ state: 'hidden' })
  await page.waitForURL(/from=/)
  await log.nth(1).waitFor()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('yesterday')
  await page.waitForURL(/to=/)
  await page.getByText('No change matches').waitFor()
  const { searchParams } = new URL(page.url())
  expect(searchParams.get('to')).toBe(searchParams.get('from'))
  // An address with something that is no day shows the page all the same.
  await page.goto(`/w/${workspaceId}/settings/audit?from=soon`)
  await log.nth(1).waitFor()
  expect(await from.inputValue()).toBe('')

  const phone = await openDesk({ phone: true })
  const other = await signInNewPerson(phone)
  await phone.page.goto(`/w/${other.workspaceId}/settings/audit`)
  expect(await phone.page.getByLabel('From', { exact: true }).getAttribute('type')).toBe('date')
  await phone.check()
})

test('guarantee: plans are shown only where there are plans, and the usage is always', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  const usage = page.getByRole('region', { name: 'Usage', exact: true })
  const plan = page.getByRole('link', { name: 'Plan and usage' })
  // An old link to the plan leads to the workspace too.
  for (const address of ['settings', 'settings/plan']) {
    await page.goto(`/w/${workspaceId}/${address}`)
    await usage.getByText('0 posts, without a limit').waitFor()
    await usage.getByText(/^0 kB of [\d.]+ GB$/).waitFor()
    await usage.getByText(/unlimited on this installation/).waitFor()
    expect([await plan.count(), await page.getByRole('radio', { name: 'Business' }).count()]).toEqual([0, 0])
  }
  await desk.check()
  await queryDatabase(`update workspace set plan = 'free' where id = $1`, [workspaceId])
  await page.goto(`/w/${workspaceId}/settings`)
  await plan.click()
  await page.getByText('0 of 30 posts').waitFor()
  expect(await usage.count()).toBe(0)
  await desk.check()
  await page.getByRole('radio', { name: 'Business' }).click()
  await plan.waitFor({ state: 'detached' })
  await usage.waitFor()
})

test('guarantee: by keyboard, the secret of a webhook is shown once, and a failed delivery can be read and sent again', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  const path = `/${workspaceId}`
  receiver.setReply(path, (nth) => (nth === 1 ? { status: 410, body: 'gone away' } : { status: 200 }))
  await page.goto(`/w/${workspaceId}/settings/webhooks`)
  await page.getByText('No webhooks yet').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Add a webhook' }))
  await pressOn(page, page.getByRole('button', { name: 'Cancel' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await pressOn(page, page.getByRole('button', { name: 'Add a webhook' }))
  await pressOn(page, page.getByRole('button', { name: 'Add', exact: true }))
  await page.getByText('Fill this in.').waitFor()
  await typeInto(page, page.getByLabel('Address'), receiver.url(path))
  await desk.check()
  await pressOn(page, page.getByRole('button', { name: 'Add', exact: true }))
  const secret = await page.getByLabel('Signing secret').inputValue()
  expect(secret.length).toBeGreaterThan(16)
  await pressOn(page, page.getByRole('button', { name: 'I have stored it' }))
  await pressOn(page, page.getByRole('link', { name: receiver.url(path) }))
  await pressOn(page, page.getByRole('button', { name: 'Send a test' }))
  const deliveries = page.getByRole('list', { name: 'Deliveries' })
  await deliveries.getByText('webhook.test').first().click()
  await deliveries.getByText('gone away').waitFor({ timeout: 20_000 })
  await desk.check()
  // The status 410 says that the receiver wants no more events.
  await page.getByText('Carillon has switched this webhook off').waitFor()
  await page.getByRole('switch', { name: /Active/ }).click()
  await page.getByText('Carillon has switched this webhook off').waitFor({ state: 'detached' })
  await deliveries.getByRole('button', { name: 'Send again' }).press('Enter')
  await deliveries.getByText('Delivered').waitFor({ timeout: 20_000 })
  expect(await page.content()).not.toContain(secret)
})
