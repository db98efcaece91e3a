import type { Media, MediaFolder } from '@carillon/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesk, type Desk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { inviteMember, post, signInNewPerson } from '../rig/people.ts'
import { readApi } from '../rig/posts.ts'
import { uploadPictures } from './pictures.fixture.ts'

/** Guarantee: files are sorted into folders, one by one and many at once, with mouse, keyboard and on a phone. */

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const tile = (page: Page, name: string) => page.getByRole('list', { name: 'Media' }).getByRole('button', { name, exact: true })
const names = ({ page }: Desk) =>
  page.getByRole('list', { name: 'Media' }).getByRole('listitem').getByRole('button').allTextContents()

async function openLibrary(desk: Desk, pictures: readonly string[]): Promise<string> {
  const { workspaceId } = await signInNewPerson(desk)
  await desk.page.goto(`/w/${workspaceId}/media`)
  await uploadPictures(desk.page, pictures)
  return workspaceId
}

async function createFolder({ page }: Desk, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByText('This folder is empty').waitFor()
}

test('guarantee: a folder is made, filled, renamed and deleted, and its files stay', async () => {
  const desk = await openDesk()
  const { page } = desk
  await openLibrary(desk, ['a.png', 'b.png', 'c.png', 'd.png'])
  await createFolder(desk, 'Towers')
  await desk.check()
  // What is uploaded while a folder is open is put into it.
  await uploadPictures(page, ['inside.png'])
  const folders = page.getByRole('navigation', { name: 'Folders' })
  await folders.getByRole('button', { name: /Towers.*1 file/ }).waitFor()

  await folders.getByRole('button', { name: 'All files' }).click()
  await tile(page, 'a.png').waitFor()
  // Two are uploaded at a time, so their order is not fixed.
  const order = await names(desk)
  const [, first = '', between = '', last = ''] = order
  await box(page, first).click()
  await box(page, last).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await tile(page, between).click()
  await page.getByText('2 selected').waitFor()
  await desk.checkBothThemes()
  await page.getByRole('button', { name: 'Move to…' }).click()
  await page.getByRole('menuitem', { name: 'Towers' }).click()
  await page.getByText('2 files moved').waitFor()
  await folders.getByRole('button', { name: /Towers.*3 files/ }).click()
  await expect.poll(() => names(desk)).toEqual(['inside.png', first, last])

  await page.getByRole('button', { name: 'Rename Towers' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Arches')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Delete the folder Arches' }).click()
  await page.getByRole('alertdialog').getByText('3 files are in it.').waitFor()
  await desk.check()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the folder' }).click()
  await expect.poll(() => names(desk)).toEqual(order)
})

test('guarantee: with the keyboard, files are selected, tagged and deleted, and those that a post needs ask again', async () => {
  // 404, 409: the stream tells of the removal before its own answer arrives.
  const desk = await openDesk({ expects: [404, 409] })
  const { page } = desk
  const workspaceId = await openLibrary(desk, ['a.png', 'b.png', 'c.png'])
  const { results } = await readApi<{ results: Media[] }>(desk, '/media', workspaceId)
  const used = results.find(({ name }) => name === 'b.png')?.id
  await post(
    desk.context,
    '/api/content/photos',
    { text: 'Bells', connections: [], medias: [used], saveDraft: true },
    workspaceId,
  )
  await page.reload()
  await box(page, 'a.png').focus()
  await page.keyboard.press('Space')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('3 files', { exact: true }).waitFor()
  await box(page, 'a.png').focus()
  await page.keyboard.press('Space')
  await box(page, 'b.png').focus()
  await page.keyboard.press('Space')
  await page.getByText('2 selected').waitFor()

  await pressOn(page, page.getByRole('button', { name: 'Add a tag' }))
  await page.getByRole('dialog').getByLabel('Tag').fill('autumn')
  await page.keyboard.press('Enter')
  await page.getByText('2 files have the tag').waitFor()
  await page.getByText('2 selected').waitFor()

  await pressOn(page, page.getByRole('button', { name: 'Delete…' }))
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Delete 2 files?').waitFor()
  await pressOn(page, dialog.getByRole('button', { name: 'Delete', exact: true }))
  await dialog.getByText('A post still needs 1 file').waitFor()
  await desk.check()
  await pressOn(page, dialog.getByRole('button', { name: 'Delete anyway' }))
  await expect.poll(() => names(desk)).toEqual(['c.png'])
})

test('on a phone the folders are a select, and a viewer can look into them and change nothing', async () => {
  const [desk, viewer] = [await openDesk({ phone: true }), await openDesk({ phone: true, dark: true })]
  const { page } = desk
  const workspaceId = await openLibrary(desk, ['a.png', 'b.png'])
  await createFolder(desk, 'Towers')
  await desk.check()
  await page.getByRole('combobox', { name: 'Folders' }).click()
  await page.getByRole('option', { name: 'Without a folder' }).click()
  await box(page, 'a.png').click()
  await desk.check()
  await page.getByRole('button', { name: 'Move to…' }).click()
  await page.getByRole('menuitem', { name: 'Towers' }).click()
  await page.getByText('1 file moved').waitFor()
  await expect.poll(() => names(desk)).toEqual(['b.png'])

  await inviteMember(desk, viewer, workspaceId, 'viewer')
  const [folder] = await readApi<MediaFolder[]>(desk, '/media/folders', workspaceId)
  await viewer.page.goto(`/w/${workspaceId}/media?folder=${folder?.id}`)
  await tile(viewer.page, 'a.png').waitFor()
  await viewer.check()
  expect(await viewer.page.getByRole('checkbox').count()).toBe(0)
  expect(await viewer.page.getByRole('button', { name: /folder/i }).count()).toBe(0)
})
