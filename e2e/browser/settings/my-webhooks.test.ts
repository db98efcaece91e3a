import { expect, test } from 'vitest'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { openDesk, origin, type Desk, type DeskOptions } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'
import { createWorkspace, inviteMember, post, signInNewPerson } from '../rig/people.ts'

const receiver = useWebhookReceiver()

/** A person who owns nothing and is a member of a workspace of the owner. */
async function openAsMember(role: string, options: DeskOptions = {}) {
  const [owner, desk] = [await openDesk(), await openDesk(options)]
  const { workspaceId, workspace } = await signInNewPerson(owner)
  await inviteMember(owner, desk, workspaceId, role)
  await desk.page.goto(`/w/${workspaceId}/settings/my-webhooks`)
  return { owner, desk, page: desk.page, workspaceId, workspace }
}

async function listMine({ context }: Desk): Promise<unknown> {
  const { data } = (await (await context.request.get('/api/account/webhooks')).json()) as { data: unknown }
  return data
}

test('guarantee: by keyboard, an admin who owns nothing adds, tries and changes a webhook of their account, whose secret is shown once', async () => {
  const { desk, page, workspaceId } = await openAsMember('admin')
  const path = `/my-${workspaceId}`
  receiver.setReply(path, (nth) => (nth === 1 ? { status: 410, body: 'gone away' } : { status: 200 }))
  await page.getByText('No webhooks yet').waitFor()
  await desk.checkBothThemes()
  await pressOn(page, page.getByRole('button', { name: 'Add a webhook' }))
  await typeInto(page, page.getByLabel('Address'), receiver.url(path))
  await pressOn(page, page.getByRole('button', { name: 'Add', exact: true }))
  const secret = await page.getByLabel('Signing secret').inputValue()
  expect(secret.length).toBeGreaterThan(16)
  await pressOn(page, page.getByRole('button', { name: 'I have stored it' }))
  await page.getByText('3 events · 1 workspace').waitFor()
  await desk.checkBothThemes()

  await pressOn(page, page.getByRole('link', { name: receiver.url(path) }))
  await page.getByText('Nothing was sent yet').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Send a test' }))
  const deliveries = page.getByRole('list', { name: 'Deliveries' })
  await deliveries.getByText('webhook.test').first().click()
  // It is their own program, so they read what it answered.
  await deliveries.getByText('gone away').waitFor({ timeout: 20_000 })
  await page.getByText('Carillon has switched this webhook off').waitFor()
  await desk.checkBothThemes()
  await page.getByRole('switch', { name: /Active/ }).click()
  await page.getByText('Carillon has switched this webhook off').waitFor({ state: 'detached' })
  await deliveries.getByRole('button', { name: 'Send again' }).press('Enter')
  await deliveries.getByText('Delivered').waitFor({ timeout: 20_000 })

  await page.getByRole('checkbox', { name: /^channel.failed/ }).click()
  await pressOn(page, page.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved').last().waitFor()
  await expect
    .poll(async () => listMine(desk))
    .toMatchObject([{ active: true, events: expect.arrayContaining(['channel.failed']) }])
  expect(await page.content()).not.toContain(secret)
})

test('guarantee: the deliveries of each workspace are apart, a workspace that shuts it out is named, and removing it leaves nothing', async () => {
  const { owner, desk, page, workspaceId, workspace } = await openAsMember('admin')
  const url = receiver.url(`/two-${workspaceId}`)
  const { data } = await post(desk.context, '/api/account/webhooks', { url, events: ['upload.failed'] })
  const { id, secret } = data as { id: string; secret: string }
  const later = await createWorkspace(desk, { simulated: false, workspace: 'Belfry of my own' })
  await page.goto(`/w/${workspaceId}/settings/my-webhooks?webhook=${id}`)
  await page.getByText('Nothing was sent yet').waitFor()
  await page.getByRole('combobox', { name: 'From the workspace' }).click()
  await page.getByRole('option', { name: 'Belfry of my own' }).click()
  await pressOn(page, page.getByRole('button', { name: 'Send a test' }))
  const deliveries = page.getByRole('list', { name: 'Deliveries' })
  await deliveries.getByText('Delivered').waitFor({ timeout: 20_000 })
  await desk.checkBothThemes()
  await page.getByRole('combobox', { name: 'From the workspace' }).click()
  await page.getByRole('option', { name: workspace }).click()
  await page.getByText('Nothing was sent yet').waitFor()

  const headers = { origin, 'x-workspace-id': workspaceId }
  await owner.context.request.patch(`/api/webhooks/${id}`, { data: { active: false }, headers })
  await page.goto(`/w/${later}/settings/my-webhooks`)
  await page.getByText(`Shut out by the owners of ${workspace}`).waitFor()
  await pressOn(page, page.getByRole('link', { name: url }))
  await deliveries.getByText('Delivered').waitFor()
  expect(await page.getByRole('combobox', { name: 'From the workspace' }).count()).toBe(0)

  await pressOn(page, page.getByRole('button', { name: 'New secret' }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }))
  expect(await page.getByLabel('Signing secret').inputValue()).not.toBe(secret)
  await pressOn(page, page.getByRole('button', { name: 'I have stored it' }))
  await pressOn(page, page.getByRole('button', { name: 'Remove', exact: true }))
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }))
  await page.getByText('No webhooks yet').waitFor()
  expect(await listMine(desk)).toEqual([])
})

test('guarantee: an editor is told on a phone, in German, that a webhook of theirs receives nothing', async () => {
  const { desk, page, workspaceId } = await openAsMember('editor', { phone: true, language: 'de' })
  await page.getByText('Noch keine Webhooks').waitFor()
  await desk.check()
  const url = receiver.url(`/editor-${workspaceId}`)
  const { data } = await post(desk.context, '/api/account/webhooks', { url, events: ['upload.failed'] })
  await page.goto(`/w/${workspaceId}/settings/my-webhooks?webhook=${(data as { id: string }).id}`)
  await page.getByText('Er erhält zurzeit nichts').waitFor()
  expect(await page.getByRole('button', { name: 'Test senden' }).count()).toBe(0)
  await desk.checkBothThemes()
})
