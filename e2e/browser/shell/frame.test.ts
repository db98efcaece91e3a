import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signIn, signInNewPerson } from '../rig/people.ts'
import { createPost } from '../rig/posts.ts'

const places = ['Calendar', 'Posts', 'Media', 'Analytics', 'Integrations', 'Settings']

test('every page can be reached from the navigation, and is accessible in both themes', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}`)
  for (const name of places) {
    await page.getByRole('navigation').getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect.poll(() => page.title()).toBe(`${name} · Carillon`)
    await desk.checkBothThemes()
  }
})

test('on a phone the navigation is at the bottom, and the rest is in its menu', async () => {
  const desk = await openDesk({ phone: true })
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}`)
  await page.getByRole('link', { name: 'Posts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await desk.check()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

test('keys: G and a letter go to a page, Ctrl K opens the palette, and letters in a field are only letters', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.fill('analy')
  await desk.check()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'All keys' }).waitFor()
  await desk.check()
})

test('the palette finds posts by their words and leads to them', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  const id = await createPost(desk, { workspaceId, text: 'Evensong at six in the tower', saveDraft: true })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('evensong')
  await page.getByRole('option', { name: /Evensong at six/ }).click()
  await page.waitForURL(`**/posts/${id}`)
})

test('after a change of page, the focus is on its heading', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Posts' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), { timeout: 10_000 }).toBe('H1')
})

test('guarantee: a page that arrives late takes the focus from no dialog that was opened meanwhile', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  const arrival = Promise.withResolvers<void>()
  await page.route('**/assets/posts.page-*.js', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Posts' }).press('Enter')
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').pressSequentially('anal')
  arrival.resolve()
  // The dialog hides the page from the roles.
  await page.locator('h1', { hasText: 'Posts' }).waitFor()
  await page.waitForTimeout(200)
  await page.keyboard.type('ytics')
  expect(await dialog.getByRole('combobox').inputValue()).toBe('analytics')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Analytics' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), { timeout: 10_000 }).toBe('H1')
})

test('the menu of a person leads to their pages, the reference and all keys', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar`)
  const menu = page.getByRole('button', { name: /Your menu/ })
  await menu.click()
  expect(await page.getByRole('menuitem', { name: 'API reference' }).getAttribute('href')).toBe('/docs')
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.waitForURL('**/settings/profile')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.waitForURL('**/settings/security')
  await menu.click()
  await page.getByRole('menuitem', { name: 'All keys' }).click()
  await page.getByRole('dialog', { name: 'All keys' }).waitFor()
})

test('theme and language are kept, and are the person’s in another browser too', async () => {
  const desk = await openDesk()
  const { workspaceId, email } = await signInNewPerson(desk)
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { level: 1, name: 'Kalender' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Kalender' }).waitFor()
  expect(await page.evaluate(() => [document.documentElement.dataset['theme'], document.documentElement.lang])).toEqual([
    'dark',
    'de',
  ])
  await desk.check()

  const other = await openDesk()
  await signIn(other.context, email)
  await other.page.goto(`/w/${workspaceId}/calendar`)
  await other.page.getByRole('heading', { level: 1, name: 'Kalender' }).waitFor()
  await expect.poll(() => other.page.locator('html').getAttribute('data-theme')).toBe('dark')
})

test('an address that does not exist says so and leads back', async () => {
  const desk = await openDesk()
  await desk.page.goto('/nowhere')
  await desk.page.getByText('There is nothing at this address').waitFor()
  await desk.check()
})
