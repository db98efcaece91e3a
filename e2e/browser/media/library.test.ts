import { expect, test } from 'vitest'
import { openDesk, type Desk } from '../rig/desk.ts'
import { pressOn, typeInto } from '../rig/keyboard.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { uploadPictures } from './pictures.fixture.ts'

/** Makes a draft that needs a file, and returns its text. */
async function draftWith({ context }: Desk, workspaceId: string, mediaId: string): Promise<string> {
  const text = 'The bells at noon'
  await post(context, '/api/content/photos', { text, connections: [], medias: [mediaId], saveDraft: true }, workspaceId)
  return text
}

test.each([{ dark: false }, { phone: true, dark: true }])(
  'guarantee: a file is uploaded, described, found, and not deleted without naming the posts that need it (%o)',
  async (options) => {
    // 404: the stream may tell of the removal before its own answer arrives, and the dialog reads the file once more.
    const desk = await openDesk({ ...options, expects: [404, 409] })
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk)
    await page.goto(`/w/${workspaceId}/media`)
    await page.getByText('No files yet').waitFor()
    await desk.check()

    await uploadPictures(page, ['tower.png', 'bell.png'])
    await page.getByText('2 of 2 files uploaded').waitFor()
    await page.getByText('2 files', { exact: true }).waitFor()
    await desk.check()

    // With the keyboard alone.
    await pressOn(page, page.getByRole('button', { name: 'tower.png', exact: true }))
    await typeInto(page, page.getByLabel('Alt text'), 'A bell tower at noon')
    await typeInto(page, page.getByLabel('Tags'), 'tower, noon')
    await desk.check()
    await pressOn(page, page.getByRole('button', { name: 'Save' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.goto(`/w/${workspaceId}/media?show=without-alt`)
    await page.getByRole('button', { name: 'bell.png', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'tower.png', exact: true }).count()).toBe(0)
    await page.goto(`/w/${workspaceId}/media?tag=tower`)
    await page.getByRole('button', { name: 'tower.png', exact: true }).click()
    await page.getByText('No post uses this file.').waitFor()

    const mediaId = new URL(page.url()).searchParams.get('item') ?? ''
    const text = await draftWith(desk, workspaceId, mediaId)
    await page.reload()
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('A post still needs this file').waitFor()
    await desk.check()
    await dialog.getByRole('button', { name: 'Delete anyway' }).click()
    await page.getByText('No file matches').waitFor()
  },
)

test('guarantee: files that are dropped are uploaded, and a refused one says why', async () => {
  const desk = await openDesk({ expects: [400, 413, 415, 422] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/media`)
  await page.getByText('No files yet').waitFor()
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['not a picture'], 'notes.png', { type: 'image/png' }))
    return transfer
  })
  await page.getByText('No files yet').dispatchEvent('dragover', { dataTransfer: data })
  await page.getByText('Drop the files to upload them').waitFor()
  await page.getByText('No files yet').dispatchEvent('drop', { dataTransfer: data })
  await page.getByRole('region', { name: 'Uploads' }).getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Try notes.png again' }).waitFor()
  await desk.check()
})
