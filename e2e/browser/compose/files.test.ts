import { createServer } from 'node:http'
import { once } from 'node:events'
import type { Connection, Media, Post } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { makeMp4 } from '../../support/files.ts'
import { makePng } from '../../support/png.ts'
import { openDesk } from '../rig/desk.ts'
import { account, openComposer, readApi, textField, waitUntilSaved, waitUntilUploaded } from './writing.ts'

test('guarantee: a photo that one platform refuses is cropped for that account alone, with the keyboard', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Bluesky').click()
  await account(page, 'Instagram').click()
  await textField(page).fill('A wide view')
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(makePng(2, 1600, 500)) }])
  await page.getByText('Too wide for Instagram: 1600 × 500.').waitFor()

  await page.getByRole('tab', { name: 'Instagram' }).click()
  await page.getByRole('button', { name: 'Crop wide.png' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Crop' })
  // The nearest shape that the platform takes is chosen.
  await dialog.getByText('955 × 500 pixels').waitFor()
  await desk.check()
  await dialog.getByRole('radio', { name: '1:1', exact: true }).press('Space')
  await dialog.getByText('500 × 500 pixels').waitFor()
  await dialog.getByRole('slider', { name: 'From left to right' }).press('Home')
  await dialog.getByRole('button', { name: 'Crop', exact: true }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Alt text of wide-crop.png').waitFor()
  await page.getByText('Too wide for Instagram').waitFor({ state: 'detached' })

  const connections = await readApi<Connection[]>(page, `/workspaces/${workspaceId}/connections`, workspaceId)
  const slug = connections.find(({ platform }) => platform === 'instagram')?.slug ?? ''
  const readDraft = async () => (await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data[0]
  const ownFiles = async () => (await readDraft())?.platformOptions[slug]?.medias ?? []
  // The draft is saved once more when the new file is uploaded.
  await expect.poll(ownFiles, { timeout: 15_000 }).toHaveLength(1)
  expect((await readDraft())?.medias.map(({ name }) => name)).toEqual(['wide.png'])
  const [own = ''] = await ownFiles()
  expect(await readApi(page, `/media/${own}`, workspaceId)).toMatchObject({ name: 'wide-crop.png', width: 500, height: 500 })

  // The files of the account are there again after a reload, and can be given up for the common ones.
  await page.reload()
  await page.getByRole('tab', { name: 'Instagram differs' }).click()
  await page.getByLabel('Alt text of wide-crop.png').waitFor()
  await page.getByRole('button', { name: 'Only here. Use the common ones' }).click()
  await page.getByLabel('Alt text of wide.png').waitFor()
})

test('guarantee: a file from an address joins the post, and a refused address says why', async () => {
  const desk = await openDesk({ expects: [400, 422, 502] })
  const { page } = desk
  await openComposer(desk)
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/bell.png' ? 200 : 404, { 'content-type': 'image/png' }).end(makePng(4))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  await page.getByRole('button', { name: 'From a URL' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(`${origin}/missing.png`)
  await dialog.getByRole('textbox').press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('textbox').fill(`${origin}/bell.png`)
  await dialog.getByRole('textbox').press('Enter')
  await page.getByLabel('Alt text of bell.png').waitFor()
  server.close()
})

test('guarantee: the alt text of a photo is written once, and is there when the photo is used again', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Mastodon').click()
  await textField(page).fill('The tower at dusk')
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'tower.png', mimeType: 'image/png', buffer: Buffer.from(makePng(9, 640, 640)) }])
  await waitUntilUploaded(page, 'tower.png')
  await page.getByLabel('Alt text of tower.png').fill('A bell tower at dusk')
  await page.getByRole('button', { name: 'Publish now' }).click()
  const written = async () => (await readApi<{ results: Media[] }>(page, '/media', workspaceId)).results[0]?.alt
  await expect.poll(written, { timeout: 30_000 }).toBe('A bell tower at dusk')
  await page.goto(`/w/${workspaceId}/media`)
  await page.getByRole('button', { name: 'tower.png', exact: true }).waitFor()
  expect(await page.getByText('No alt text').count()).toBe(0)

  await page.goto(`/w/${workspaceId}/compose`)
  await page.getByRole('button', { name: 'From the library' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'A bell tower at dusk' }).click()
  await dialog.getByRole('button', { name: /^Add/ }).click()
  await expect.poll(() => page.getByLabel('Alt text of tower.png').inputValue()).toBe('A bell tower at dusk')
})

test('guarantee: files are put into another order by dragging, and with the keyboard', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Mastodon').click()
  await textField(page).fill('From dawn to dusk')
  const names = ['dawn.png', 'noon.png', 'dusk.png']
  await page
    .locator('input[type="file"]')
    .setInputFiles(names.map((name, at) => ({ name, mimeType: 'image/png', buffer: Buffer.from(makePng(at + 1)) })))
  for (const name of names) await waitUntilUploaded(page, name)
  const row = (name: string) => page.getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name })
  const saved = async () =>
    (await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data[0]?.medias.map(({ name }) => name)
  const drag = (name: string, target: string, y: number) =>
    row(name)
      .getByTitle('Drag to change the order')
      .dragTo(row(target), { targetPosition: { x: 200, y } })
  await drag('dusk.png', 'dawn.png', 5)
  await expect.poll(saved, { timeout: 15_000 }).toEqual(['dusk.png', 'dawn.png', 'noon.png'])
  // The end of the last row may be behind the bar at the bottom of the window.
  await row('dawn.png').evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { height } = (await row('noon.png').boundingBox()) ?? { height: 0 }
  await drag('dusk.png', 'noon.png', height - 5)
  await expect.poll(saved, { timeout: 15_000 }).toEqual(['dawn.png', 'noon.png', 'dusk.png'])
  await page.getByRole('button', { name: 'Move dusk.png up' }).press('Enter')
  await expect.poll(saved, { timeout: 15_000 }).toEqual(['dawn.png', 'dusk.png', 'noon.png'])
  await desk.checkBothThemes()
})

test('guarantee: the cover of a video is chosen among its pictures, by pointer and keyboard, also for a file of the library', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Instagram').click()
  await textField(page).fill('The bell is raised')
  const buffer = Buffer.from(await makeMp4())
  await page.locator('input[type="file"]').setInputFiles([{ name: 'raising.mp4', mimeType: 'video/mp4', buffer }])
  const cover = page.getByRole('group', { name: 'Cover' })
  const slider = cover.getByRole('slider', { name: 'Cover' })
  const settingOf = async () => {
    const [draft] = (await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data
    return Object.values(draft?.platformOptions ?? {}).map((options) => (options as { coverSeconds?: number }).coverSeconds)
  }
  /** How many different pictures the strip has. */
  const countPictures = () =>
    cover
      .locator('canvas')
      .evaluateAll((canvases) => new Set(canvases.map((each) => (each as HTMLCanvasElement).toDataURL())).size)
  await page.getByRole('tab', { name: 'Instagram' }).click()
  await expect.poll(countPictures, { timeout: 20_000 }).toBe(8)
  await cover.getByText('Chosen by the platform').waitFor()
  await cover.locator('canvas').nth(6).click()
  await cover.getByText('1.6 s').waitFor()
  await slider.press('ArrowRight')
  await cover.getByText('1.7 s').waitFor()
  await expect.poll(() => cover.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime)).toBeCloseTo(1.7, 1)
  await expect.poll(settingOf, { timeout: 20_000 }).toEqual([1.7])
  await waitUntilSaved(page)
  await desk.checkBothThemes()

  // After a reload, the video comes from the server.
  await page.reload()
  await page.getByRole('tab', { name: 'Instagram' }).click()
  await expect.poll(() => slider.inputValue(), { timeout: 20_000 }).toBe('1.7')
  await expect
    .poll(() => cover.locator('video').evaluate((video) => (video as HTMLVideoElement).currentTime), { timeout: 20_000 })
    .toBeCloseTo(1.7, 1)
  await cover.getByRole('button', { name: 'Let the platform choose' }).click()
  await expect.poll(settingOf, { timeout: 20_000 }).not.toEqual([1.7])
})
