import type { Connection, Post } from '@carillon/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseTime } from '../rig/choose-time.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'

const [day, nextDay] = [dayOfNextMonth(10), dayOfNextMonth(11)]

const cell = (page: Page, slot: string) => page.locator(`[data-slot="${slot}"]`)
const panelOf = (page: Page) => page.getByRole('complementary').or(page.getByRole('dialog'))
const title = (page: Page, name: string) => panelOf(page).getByRole('heading', { level: 2, name, exact: true })
const entryOf = (page: Page, id: string) => page.locator(`[data-entry="${id}"] a`)

/** Whether the element has the focus, and is in the page: a list that was loaded again has other elements. */
const hasFocus = (page: Page, id: string) => entryOf(page, id).evaluate((element) => element === document.activeElement)

test('guarantee: a post opens beside the calendar; Back closes it, a reload keeps it, and its page is one click away', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  await page.goto(`/w/${workspaceId}/calendar?day=${day}`)
  const address = page.url()
  await entryOf(page, id).click()
  await title(page, 'Evensong').waitFor()
  expect(new URL(page.url()).searchParams.get('post')).toContain(id)
  // The calendar beside it is in sight and can be used, also by screen readers.
  await page.getByRole('grid').waitFor()
  await expect.poll(() => entryOf(page, id).getAttribute('aria-current')).toBe('true')
  await panelOf(page).getByRole('region', { name: 'Preview' }).getByText('Evensong').waitFor()
  await desk.checkBothThemes()
  await page.goBack()
  await title(page, 'Evensong').waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await page.goForward()
  await title(page, 'Evensong').waitFor()
  await page.reload()
  await title(page, 'Evensong').waitFor()
  // Closed after a reload, the page before it is still one step away and no second one is in between.
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect.poll(() => page.url()).toBe(address)
  await entryOf(page, id).click()
  await panelOf(page).getByRole('link', { name: 'Open as page' }).click()
  await page.waitForURL(`**/posts/${id}`)
  await page.getByRole('heading', { level: 1, name: 'Evensong' }).waitFor()
  // The way back leads to the calendar with the post in its panel.
  await page.getByRole('main').getByRole('link', { name: 'Calendar', exact: true }).click()
  await title(page, 'Evensong').waitFor()
})

test('guarantee: with the keyboard alone a post is opened, J and K go to its neighbours, and Escape leads back to the entry', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const first = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  const second = await createPost(desk, { workspaceId, text: 'Practice night', wall: `${nextDay}T18:00` })
  await page.goto(`/w/${workspaceId}/calendar?day=${day}`)
  await entryOf(page, first).waitFor()
  const address = page.url()
  const isInGrid = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'gridcell')
  for (let presses = 0; presses < 40 && !(await isInGrid()); presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await title(page, 'Evensong').waitFor()
  // The heading has the focus, so that it is read, and the Tab key goes on from there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Evensong')
  await page.keyboard.press('j')
  await title(page, 'Practice night').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await title(page, 'Evensong').waitFor()
  await page.keyboard.press('j')
  await title(page, 'Practice night').waitFor()
  // Meanwhile the calendar is loaded again, with another entry.
  await post(
    desk.context,
    `/api/content/${second}/reschedule`,
    { scheduledAt: `${nextDay}T19:15`, timezone: 'Europe/Berlin' },
    workspaceId,
  )
  await cell(page, nextDay).getByRole('link', { name: /19:15/ }).waitFor()
  // What is half written in a comment is not thrown away.
  const comment = panelOf(page).getByRole('textbox').last()
  await comment.fill('jk')
  await page.keyboard.press('Escape')
  await title(page, 'Practice night').waitFor()
  expect(await comment.inputValue()).toBe('jk')
  await comment.fill('')
  // A dialog above the panel closes first.
  await pressOn(page, panelOf(page).getByRole('button', { name: 'Reschedule' }))
  const dialog = page.getByRole('dialog', { name: /Move to/ })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await title(page, 'Practice night').waitFor()
  await page.keyboard.press('Escape')
  await title(page, 'Practice night').waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(page, second)).toBe(true)
  // However many posts were looked at, it was one step of the history.
  expect(page.url()).toBe(address)
})

test.each([
  { width: 1280, height: 720 },
  { width: 1440, height: 900 },
])(
  'guarantee: from the calendar a typo is corrected with Edit and Save, and a post is moved with one drag (%o)',
  async (size) => {
    const desk = await openDesk()
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const { page } = desk
    await page.setViewportSize(size)
    // Mondays and Tuesdays are in sight in both windows.
    const monday = [10, 11, 12, 13, 14, 15, 16].map(dayOfNextMonth).find((each) => new Date(`${each}T12:00Z`).getUTCDay() === 1)
    const from = monday ?? day
    const to = new Date(Date.parse(`${from}T12:00Z`) + 86_400_000).toISOString().slice(0, 10)
    const id = await createPost(desk, { workspaceId, text: 'Evensnog at six', wall: `${from}T09:45` })
    await page.goto(`/w/${workspaceId}/calendar?day=${from}`)
    const address = page.url()
    await entryOf(page, id).click()
    await title(page, 'Evensnog at six').waitFor()
    await desk.check()
    await panelOf(page).getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Evensong at six')
    await page.getByRole('button', { name: 'Save changes' }).click()
    // One is back in the calendar, with the post as it is now.
    await title(page, 'Evensong at six').waitFor()
    expect(page.url().startsWith(address)).toBe(true)
    await entryOf(page, id).dragTo(cell(page, to))
    await page.getByText(/Moved to .*09:45/).waitFor()
    const { text, scheduledAt } = await readApi<Post>(desk, `/content/${id}`, workspaceId)
    expect([text, scheduledAt?.slice(0, 10)]).toEqual(['Evensong at six', to])
    await desk.check()
  },
)

test('guarantee: on a phone the post covers the list, can be moved and deleted there, and the list is as it was afterwards', async () => {
  // The panel of a post that was just deleted may ask for it once more, because the deletion is also reported to it.
  const desk = await openDesk({ phone: true, expects: [404] })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  await createPost(desk, { workspaceId, text: 'Practice night', wall: `${nextDay}T18:00` })
  await page.goto(`/w/${workspaceId}/posts`)
  await entryOf(page, id).tap()
  const sheet = page.getByRole('dialog', { name: 'Evensong' })
  await sheet.waitFor()
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
  await desk.checkBothThemes()
  await sheet.getByRole('button', { name: 'Reschedule' }).tap()
  const dialog = page.getByRole('dialog', { name: /Move to/ })
  await chooseTime(dialog, { time: '11:30' })
  await dialog.getByRole('button', { name: 'Move', exact: true }).tap()
  await sheet.getByText(/Scheduled for .*11:30/).waitFor()
  await sheet.getByRole('button', { name: 'Close', exact: true }).tap()
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(page, id)).toBe(true)
  await entryOf(page, id).tap()
  await sheet.getByRole('button', { name: 'More actions' }).tap()
  await page.getByRole('menuitem', { name: 'Delete…' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).tap()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Practice night/ }).waitFor()
  await entryOf(page, id).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/w/${workspaceId}/posts`)
  await desk.check()
})

test('guarantee: with a modifier key or the middle button, a post of the list and of the calendar opens its page in a new tab', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page, context } = desk
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  for (const view of ['posts', `calendar?day=${day}`, `calendar?view=agenda&day=${day}`]) {
    for (const click of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
      await page.goto(`/w/${workspaceId}/${view}`)
      const [tab] = await Promise.all([context.waitForEvent('page'), entryOf(page, id).click(click)])
      await tab.waitForURL(`**/posts/${id}`)
      await tab.close()
      expect(page.url()).not.toContain('post=')
    }
  }
})

test('guarantee: each account of a post has a preview of its own, and a published post shows its figures', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page, context } = desk
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const slugOf = (wanted: string) => connections.find(({ platform }) => platform === wanted)?.slug ?? ''
  const body = {
    connections: [slugOf('mastodon'), slugOf('bluesky')],
    text: 'Evensong at six',
    firstComment: 'All are welcome',
    thread: [{ text: 'The choir sings Byrd' }],
    platformOptions: { [slugOf('bluesky')]: { text: 'Vespers at six', firstComment: null } },
    scheduledAt: `${day}T09:45`,
    timezone: 'Europe/Berlin',
  }
  await post(context, '/api/content/text', body, workspaceId)
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /Evensong at six/ }).click()
  const preview = panelOf(page).getByRole('region', { name: 'Preview' })
  for (const text of ['Evensong at six', 'All are welcome', 'The choir sings Byrd']) await preview.getByText(text).waitFor()
  await preview.getByRole('button', { name: 'Bluesky' }).click()
  for (const text of ['Vespers at six', 'The choir sings Byrd']) await preview.getByText(text).waitFor()
  expect(await preview.getByText('All are welcome').count()).toBe(0)
  await desk.check()

  await insertSamplePosts(workspaceId)
  const query = '/content?status=partial_failure&limit=1'
  const { data } = await readApi<{ data: Post[] }>(desk, query, workspaceId)
  const failed = data[0]
  await page.goto(`/w/${workspaceId}/posts?post=${failed?.uploadId}`)
  const panel = panelOf(page)
  const figures = panel.getByRole('region', { name: 'Figures' })
  await figures.getByText('Impressions').first().waitFor()
  // What stands where: the preview, then the accounts with those that failed first, then the figures, then what was said.
  const order = await panel.getByRole('heading', { level: 2 }).allInnerTexts()
  expect(order.slice(1)).toEqual(['Preview', 'Accounts', 'Figures', 'Discussion'])
  await panel.getByRole('article').first().getByText('Failed').first().waitFor()
  await desk.checkBothThemes()
})
