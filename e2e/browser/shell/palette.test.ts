import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { uploadPictures } from '../media/pictures.fixture.ts'
import { openDesk, type Desk, type DeskOptions } from '../rig/desk.ts'
import { inviteMember, post, signInNewPerson } from '../rig/people.ts'
import { createPost } from '../rig/posts.ts'

/** Guarantee: whatever a workspace has is found from every page in two actions: open the palette, press Enter on what was found. */

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox')

/** A workspace with something of each kind. */
async function fill(desk: Desk) {
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  const postId = await createPost(desk, { workspaceId, text: 'Evensong at six in the tower', saveDraft: true })
  const label = await post(desk.context, '/api/labels', { name: 'Harvest', color: 'green' }, workspaceId)
  await page.goto(`/w/${workspaceId}/media`)
  await uploadPictures(page, ['belfry.png'])
  return { workspaceId, postId, labelId: (label.data as { id: string }).id }
}

async function openPalette(page: Page, words: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).fill(words)
}

async function expectFound(page: Page, group: string, name: string): Promise<void> {
  const found = page.getByRole('group', { name: group, exact: true }).getByRole('option', { name, exact: true })
  // The first row is marked, so Enter takes it.
  await found.and(page.locator('[data-highlighted]')).waitFor()
  await page.keyboard.press('Enter')
}

async function expectEachFound(desk: Desk, { workspaceId, postId, labelId }: Awaited<ReturnType<typeof fill>>, person: string) {
  const { page } = desk
  await page.goto(`/w/${workspaceId}/analytics`)
  await openPalette(page, 'evensong')
  await expectFound(page, 'Posts', 'Evensong at six in the tower')
  await page.waitForURL(`**/posts/${postId}`)

  await openPalette(page, 'belfry')
  await desk.check()
  await expectFound(page, 'Files', 'belfry.png')
  await page.waitForURL('**/media?item=*')
  await page.getByRole('dialog', { name: 'belfry.png' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await openPalette(page, person)
  await expectFound(page, 'People', person)
  await page.waitForURL('**/settings/members')

  await openPalette(page, 'harvest')
  await expectFound(page, 'Labels', 'Harvest')
  await page.waitForURL(`**/posts?label=${labelId}`)
}

test.each<DeskOptions>([{}, { dark: true }])(
  'guarantee: a post, a file, a person and a label are found in two actions (%o)',
  async (options) => {
    const desk = await openDesk(options)
    await expectEachFound(desk, await fill(desk), 'Ada Ringer')
    await desk.page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  },
)

test('guarantee: a viewer finds the same, and is not offered to write', async () => {
  const [owner, desk] = [await openDesk(), await openDesk()]
  const filled = await fill(owner)
  await inviteMember(owner, desk, filled.workspaceId, 'viewer')
  await expectEachFound(desk, filled, 'Ada Ringer')
  await openPalette(desk.page, 'new')
  await desk.page.getByRole('option', { name: 'New workspace' }).waitFor()
  expect(await desk.page.getByRole('option', { name: 'New post' }).count()).toBe(0)
})

test('on a phone the palette finds a file', async () => {
  const desk = await openDesk({ phone: true })
  const { page } = desk
  await fill(desk)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Search' }).click()
  await field(page).fill('belfry')
  await page.getByRole('option', { name: 'belfry.png' }).waitFor()
  await desk.check()
  await page.getByRole('option', { name: 'belfry.png' }).click()
  await page.getByRole('dialog', { name: 'belfry.png' }).waitFor()
})

test('guarantee: a slow answer to earlier words never replaces a newer one', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  await page.goto(`/w/${workspaceId}/media`)
  await uploadPictures(page, ['belfry.png', 'tower.png'])
  let answered = 0
  await page.route(/\/api\/media\?.*search=belfry/, async (route) => {
    await new Promise((done) => setTimeout(done, 1500))
    // The page may have given up the request.
    await route.continue().catch(() => undefined)
    answered++
  })
  await openPalette(page, 'belfry')
  await page.getByText('Searching…').waitFor()
  await field(page).fill('tower')
  await page.getByRole('option', { name: 'tower.png' }).waitFor()
  await expect.poll(() => answered, { timeout: 10_000 }).toBeGreaterThan(0)
  await page.waitForTimeout(300)
  expect(await page.getByRole('group', { name: 'Files' }).getByRole('option').allTextContents()).toEqual(['tower.png'])
})

test('guarantee: if one search fails, the rest is still found, and the palette says so', async () => {
  const desk = await openDesk({ expects: [400] })
  const { page } = desk
  await fill(desk)
  await page.route(/\/api\/media\?.*search=/, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/json',
      body: '{"ok":false,"error":{"code":"validation_error","message":"no"}}',
    }),
  )
  await openPalette(page, 'even')
  await page.getByRole('option', { name: 'Evensong at six in the tower' }).waitFor()
  await page.getByText('Some results could not be loaded.').waitFor()
  await desk.check()
  await field(page).fill('set')
  await page.getByRole('option', { name: /^Settings G/ }).waitFor()
})

test('a group shows six at most, and more words show the others', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk)
  for (let n = 1; n <= 8; n++) await post(desk.context, '/api/labels', { name: `Peal ${n}`, color: 'green' }, workspaceId)
  await page.goto(`/w/${workspaceId}/calendar`)
  await openPalette(page, 'peal')
  const labels = page.getByRole('group', { name: 'Labels' }).getByRole('option')
  await expect.poll(() => labels.count()).toBe(6)
  await field(page).fill('peal 8')
  await expect.poll(() => labels.allTextContents()).toEqual(['Peal 8'])
})
