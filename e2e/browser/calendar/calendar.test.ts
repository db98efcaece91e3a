import type { Post } from '@carillon/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseTime } from '../rig/choose-time.ts'
import { openDesk } from '../rig/desk.ts'
import { tabTo } from '../rig/keyboard.ts'
import { signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'

const [fromDay, toDay] = [dayOfNextMonth(10), dayOfNextMonth(12)]

const cell = (page: Page, day: string) => page.locator(`[data-slot="${day}"]`)
const chip = (page: Page, day: string, name: RegExp) => cell(page, day).getByRole('link', { name })

test('dragging moves a post to another day at the same time, and undo brings it back', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar?day=${fromDay}`)
  const { scheduledAt } = await readApi<Post>(desk, `/content/${id}`, workspaceId)
  await chip(page, fromDay, /Evensong/).dragTo(cell(page, toDay))
  await chip(page, toDay, /09:45 ?Evensong/).waitFor()
  await page.getByText(/Moved to .*09:45/).waitFor()
  const moved = await readApi<Post>(desk, `/content/${id}`, workspaceId)
  expect([moved.scheduledAt?.slice(0, 10), moved.timezone]).toEqual([toDay, 'Europe/Berlin'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await chip(page, fromDay, /09:45 ?Evensong/).waitFor()
  await page.getByText(/Back to .*09:45/).waitFor()
  expect((await readApi<Post>(desk, `/content/${id}`, workspaceId)).scheduledAt).toBe(scheduledAt)
})

test.each(['month', 'week'])('the menu of a post in the grid of a %s does what it says', async (view) => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  const { page } = desk
  const choose = async (name: RegExp) => {
    await page.goto(`/w/${workspaceId}/calendar?day=${fromDay}&view=${view}`)
    const entry = page.locator(`[data-entry="${id}"]`)
    await entry.hover()
    await entry.getByRole('button').click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose(/Open/)
  const panel = page.getByRole('complementary', { name: 'Evensong' })
  await panel.getByText(/Scheduled for .*09:45/).waitFor()
  // It has the focus, which the menu does not take back.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Evensong')
  await panel.getByRole('link', { name: 'Open as page' }).click()
  await page.waitForURL(`**/posts/${id}`)
  await choose(/Edit/)
  await page.getByRole('heading', { level: 1, name: 'Scheduled post' }).waitFor()
  await choose(/Move to/)
  await page.getByRole('dialog', { name: /Move to/ }).waitFor()
  await choose(/Delete/)
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).waitFor()
  expect(page.url()).toContain('/calendar')
})

test('by keyboard alone: to the post with arrows, M, another day, Enter', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar?day=${dayOfNextMonth(9)}`)
  await chip(page, fromDay, /Evensong/).waitFor()
  const isInGrid = () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'gridcell')
  for (let presses = 0; presses < 40 && !(await isInGrid()); presses++) await page.keyboard.press('Tab')
  expect(await isInGrid()).toBe(true)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: /Move to/ }).waitFor()
  await desk.check()
  // In the calendar of the field, a day is chosen with arrows; the day of the post has a dot.
  await page.keyboard.press('Alt+ArrowDown')
  const days = page.getByRole('dialog', { name: 'Choose a day' })
  await days.getByRole('gridcell', { name: /, 1 post$/, selected: true }).waitFor()
  await desk.check()
  for (const key of ['End', 'ArrowDown', 'PageDown', 'PageUp', 'Enter']) await page.keyboard.press(key)
  await days.waitFor({ state: 'hidden' })
  await tabTo(page, page.getByRole('button', { name: 'Move', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByText(/Moved to .*09:45/).waitFor()
  const { scheduledAt } = await readApi<Post>(desk, `/content/${id}`, workspaceId)
  const [before, after] = [new Date(`${fromDay}T08:45:00Z`), new Date(scheduledAt ?? '')]
  // The Sunday after the next.
  expect([after.getUTCDay(), Math.round((after.getTime() - before.getTime()) / 86_400_000)]).toEqual([
    0,
    7 + ((7 - before.getUTCDay()) % 7),
  ])
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('w')
  await page.waitForURL(/view=week/)
  await page.keyboard.press('l')
  await page.waitForURL(/view=agenda/)
  await page.keyboard.press('t')
  await page.waitForURL((url) => !url.search.includes('day='))
})

test('filters are in the address, and a click on a day opens the composer for it', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  await createPost(desk, { workspaceId, text: 'Practice night', wall: `${fromDay}T18:00`, platform: 'bluesky' })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar?day=${fromDay}`)
  await chip(page, fromDay, /Practice/).waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('combobox', { name: 'Platform' }).selectOption('mastodon')
  await chip(page, fromDay, /Practice/).waitFor({ state: 'hidden' })
  expect(page.url()).toContain('platform=mastodon')
  await page.reload()
  await chip(page, fromDay, /Evensong/).waitFor()
  await page.getByRole('searchbox').fill('nothing like this')
  await page.getByText('No post matches these filters').waitFor()
  await cell(page, toDay).click()
  await page.waitForURL(new RegExp(`/compose\\?at=.*${toDay}`))
})

test('on a phone it is a list below a strip of days, and the menu moves a post', async () => {
  const desk = await openDesk({ phone: true })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar?day=${fromDay}`)
  await page.getByRole('link', { name: /Evensong/ }).waitFor()
  expect(await page.getByRole('grid').count()).toBe(0)
  await desk.check()
  await page.getByRole('button', { name: /Actions for 09:45/ }).click()
  await page.getByRole('menuitem', { name: /Move to/ }).click()
  const dialog = page.getByRole('dialog', { name: /Move to/ })
  await chooseTime(dialog, { day: toDay })
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText(/Moved to/).waitFor()
  await page.locator(`[data-agenda-day="${toDay}"]`).waitFor()
})

test('the list of the current month starts at today, and a button shows the days before', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  await createPost(desk, { workspaceId, text: 'Practice night', wall: `${toDay}T18:00` })
  const { page } = desk
  // The page must take a day between the two for today. Playwright sets the clock of Date only, so the app has to do without Temporal.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'))
  await page.clock.setFixedTime(`${dayOfNextMonth(11)}T10:00:00Z`)
  await page.goto(`/w/${workspaceId}/calendar?view=agenda`)
  await page.getByRole('link', { name: /Practice night/ }).waitFor()
  expect(await page.locator('[data-agenda-day]').count()).toBe(1)
  await page.getByRole('button', { name: 'Show 1 earlier post' }).press('Enter')
  await page.getByRole('link', { name: /Evensong/ }).waitFor()
  expect(await page.locator('[data-agenda-day]').count()).toBe(2)
  await desk.check()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /Evensong/ }).waitFor({ state: 'hidden' })
  // A day of the past that the address names is shown.
  await page.goto(`/w/${workspaceId}/calendar?view=agenda&day=${fromDay}`)
  await page.getByRole('link', { name: /Evensong/ }).waitFor()
})

test('guarantee: in a small window one row of controls stands above the grid, and at least four whole weeks are in sight', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  await page.setViewportSize({ width: 1280, height: 720 })
  for (const day of [fromDay, toDay]) await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  await page.goto(`/w/${workspaceId}/calendar?day=${fromDay}`)
  await chip(page, fromDay, /Evensong/).waitFor()
  const controls = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('button', { name: 'Next month' }),
    page.getByRole('button', { name: 'Today' }),
    page.getByRole('button', { name: 'Filter' }),
    page.getByRole('button', { name: 'Week' }),
  ]
  const middles = await Promise.all(
    controls.map(async (control) => {
      const { y, height } = (await control.boundingBox()) ?? { y: 0, height: 0 }
      return y + height / 2
    }),
  )
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8)
  const wholeWeeks = await page.getByRole('gridcell').evaluateAll((cells) => {
    const isWhole = (first: Element) => first.getBoundingClientRect().bottom <= innerHeight
    return cells.filter((each, at) => at % 7 === 0 && isWhole(each)).length
  })
  expect(wholeWeeks).toBeGreaterThanOrEqual(4)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('searchbox').waitFor()
  await desk.checkBothThemes()
})

test.each(['month', 'week'])(
  'guarantee: days that are over offer no new post and take none in the grid of a %s',
  async (view) => {
    const desk = await openDesk()
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const text = 'Evensong'
    const id = await createPost(desk, { workspaceId, text, wall: `${toDay}T09:45` })
    const { page } = desk
    // As in the test before: the page takes a day of the next month for today.
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'))
    await page.clock.setFixedTime(`${dayOfNextMonth(11)}T10:00:00Z`)
    await page.goto(`/w/${workspaceId}/calendar?view=${view}&day=${dayOfNextMonth(11)}`)
    await page.locator(`[data-entry="${id}"]`).waitFor()
    // In Berlin it is 11 or 12 o'clock.
    const [over, free] =
      view === 'week'
        ? [cell(page, `${dayOfNextMonth(11)}T10`), cell(page, `${dayOfNextMonth(11)}T13`)]
        : [cell(page, dayOfNextMonth(10)), cell(page, dayOfNextMonth(11))]
    const plus = (each: typeof over) => each.locator('svg.lucide-plus')
    const opacity = (each: typeof over) => plus(each).evaluate((mark) => getComputedStyle(mark).opacity)
    await over.hover({ position: { x: 40, y: 40 } })
    expect(await plus(over).count()).toBe(0)
    await over.click({ position: { x: 40, y: 40 } })
    await over.press('n')
    expect(page.url()).toContain('/calendar')
    const before = await readApi<Post>(desk, `/content/${id}`, workspaceId)
    await page.locator(`[data-entry="${id}"] a`).dragTo(over)
    await desk.check()
    expect((await readApi<Post>(desk, `/content/${id}`, workspaceId)).scheduledAt).toBe(before.scheduledAt)
    expect(await opacity(free)).toBe('0')
    await free.hover({ position: { x: 40, y: 40 } })
    await expect.poll(() => opacity(free)).toBe('1')
    await free.click({ position: { x: 40, y: 40 } })
    await page.waitForURL(new RegExp(`/compose\\?at=.*${dayOfNextMonth(11)}`))
  },
)

test('every view is accessible in both themes', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await createPost(desk, { workspaceId, text: 'Evensong', wall: `${fromDay}T09:45` })
  for (const view of ['month', 'week', 'agenda']) {
    await desk.page.goto(`/w/${workspaceId}/calendar?day=${fromDay}&view=${view}`)
    await desk.page.locator('[data-entry]').first().waitFor()
    await desk.checkBothThemes()
  }
})
