import type { Label, Post } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { openComposer, readApi, textField, waitUntilSaved } from '../compose/writing.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn, tabTo } from '../rig/keyboard.ts'
import { post, signInNewPerson } from '../rig/people.ts'

const future = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: a label is made while a post is written, with the keyboard alone, and finds the post again (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [404] })
    const { page } = desk
    const { workspaceId } = await openComposer(desk)
    await textField(page).fill('The summer concerts begin')
    await pressOn(page, page.getByRole('button', { name: 'Add label' }))
    const field = page.getByRole('combobox', { name: 'Find a label' })
    await field.waitFor()
    await desk.check()
    await page.keyboard.type('Summer')
    await page.getByRole('option', { name: 'Create “Summer”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Labels' }).getByText('Summer').waitFor()
    await page.keyboard.press('Escape')
    await waitUntilSaved(page)
    const [label] = await readApi<Label[]>(page, '/labels', workspaceId)
    const found = await readApi<{ data: Post[] }>(page, `/content?label=${label?.id}`, workspaceId)
    expect(found.data[0]).toMatchObject({ text: 'The summer concerts begin', labels: [label?.id] })
    await desk.checkBothThemes()

    await post(page.context(), '/api/content/text', { connections: [], saveDraft: true, text: 'Other words' }, workspaceId)
    await page.goto(`/w/${workspaceId}/posts?label=${label?.id}`)
    const rows = page.getByRole('list', { name: 'Posts' }).getByRole('checkbox')
    await page.getByRole('link', { name: /The summer concerts begin/ }).waitFor()
    expect(await rows.count()).toBe(1)
    await desk.check()
  },
)

test('the labels of several posts, and of one that is out, are changed in the list and on its page', async () => {
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const made = async (body: object) => ((await post(page.context(), '/api/labels', body, workspaceId)).data as Label).id
  const [bells] = [await made({ name: 'Bells', color: 'teal' }), await made({ name: 'Summer', color: 'red', kind: 'campaign' })]
  const write = (text: string, labels: string[] = []) =>
    post(page.context(), '/api/content/text', { connections: [], saveDraft: true, text, labels }, workspaceId)
  await write('First', [bells])
  await write('Second')
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Label 2' }).click()
  const picker = page.getByRole('dialog', { name: 'Labels' })
  await picker.getByRole('option', { name: 'Summer' }).click()
  const chips = page.getByRole('list', { name: 'Labels' })
  await expect.poll(() => chips.getByText('Summer').count()).toBe(2)
  expect(await chips.getByText('Bells').count()).toBe(1)
  await desk.checkBothThemes()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /First/ }).click()
  await page.getByRole('heading', { name: 'First' }).waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  await picker.getByRole('option', { name: 'Bells' }).click()
  await expect.poll(() => chips.getByText('Bells').count()).toBe(0)
  await desk.check()
})

test('guarantee: removing a label says how many posts have it, and takes it from them', async () => {
  const desk = await openDesk({ language: 'de', expects: [404] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/settings/labels`)
  await page.getByText('Noch keine Labels').waitFor()
  await page.getByRole('button', { name: 'Label anlegen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Sommer')
  await dialog.getByRole('radio', { name: 'Pink' }).check({ force: true })
  await dialog.getByRole('radio', { name: /Kampagne/ }).click()
  await desk.checkBothThemes()
  await dialog.getByRole('button', { name: 'Label anlegen' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [label] = await readApi<Label[]>(page, '/labels', workspaceId)
  expect(label).toMatchObject({ name: 'Sommer', color: 'pink', kind: 'campaign' })
  const text = { connections: [], saveDraft: true, text: 'x', labels: [label?.id] }
  await post(page.context(), '/api/content/text', text, workspaceId)
  await desk.check()
  await page.getByRole('button', { name: '„Sommer“ entfernen' }).click()
  await page.getByText('Es wird von 1 Beitrag genommen.').waitFor()
  await page.getByRole('button', { name: 'Entfernen', exact: true }).click()
  await page.getByText('Label entfernt, auch von 1 Beitrag').waitFor()
  await page.getByText('Noch keine Labels').waitFor()
})

test('notes stand on the days of the calendar, and are written, changed and removed there', async () => {
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/calendar`)
  await pressOn(page, page.getByRole('button', { name: 'Add a note' }))
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await tabTo(page, dialog.getByLabel('Text'))
  await page.keyboard.type('The organ is tuned')
  await desk.checkBothThemes()
  await pressOn(page, dialog.getByRole('button', { name: 'Save note' }))
  const today = page.locator(`[data-slot="${new Date().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })}"]`)
  const note = today.getByRole('button', { name: 'The organ is tuned' })
  await note.click()
  await page.getByRole('dialog', { name: 'Note' }).getByLabel('Text').fill('No pictures from inside')
  await page.getByRole('button', { name: 'Save note' }).click()
  await today.getByRole('button', { name: 'No pictures from inside' }).waitFor()
  await desk.checkBothThemes()
  for (const view of ['Week', 'List']) {
    await page.getByRole('button', { name: view, exact: true }).click()
    await page.getByRole('button', { name: 'No pictures from inside' }).waitFor()
    await desk.check()
  }
  await page.getByRole('button', { name: 'No pictures from inside' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Note removed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'No pictures from inside' }).waitFor()
})

test('the posts of a label are told apart in the calendar and in the figures', async () => {
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { data } = await post(page.context(), '/api/labels', { name: 'Bells', color: 'teal' }, workspaceId)
  const { id } = data as Label
  const [account] = await readApi<{ slug: string }[]>(page, `/workspaces/${workspaceId}/connections`, workspaceId)
  const write = (text: string, more: object) =>
    post(
      page.context(),
      '/api/content/text',
      { connections: [account?.slug], text, scheduledAt: future(1), ...more },
      workspaceId,
    )
  await write('With a label', { labels: [id] })
  await write('Without one', {})
  await page.goto(`/w/${workspaceId}/calendar?view=agenda`)
  await page.getByText('Without one').waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Label' }).selectOption({ label: 'Bells' })
  await page.getByText('Without one').waitFor({ state: 'detached' })
  await page.getByText('With a label').waitFor()
  await page.getByRole('list', { name: 'Labels' }).getByText('Bells').waitFor()
  await page.getByRole('button', { name: 'Month', exact: true }).click()
  await page.getByTitle('Bells').waitFor()
  await desk.checkBothThemes()
})
