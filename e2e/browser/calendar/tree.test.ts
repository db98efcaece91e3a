import { expect, test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth } from '../rig/posts.ts'

const [firstDay, day, nextDay] = [dayOfNextMonth(1), dayOfNextMonth(10), dayOfNextMonth(11)]

/** A day as a screen reader says it in the tests' language, `Thursday 10 December`. */
function say(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T12:00:00Z`))
}
const longDay = (date: string) => say(date, { weekday: 'long', day: 'numeric', month: 'long' })

test('guarantee: a screen reader finds the calendar as a grid of named days with their posts, and hears what changes', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await createPost(desk, { workspaceId, text: 'Evensong', wall: `${day}T09:45` })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/calendar?day=${day}`)
  const grid = page.getByRole('grid', { name: say(day, { month: 'long', year: 'numeric' }) })
  await grid.getByRole('link', { name: /Evensong/ }).waitFor()
  const lines = (await grid.ariaSnapshot()).split('\n').map((line) => line.trim())
  // Seven columns, whole weeks, and every day says how many posts it has.
  expect(lines.filter((line) => line.startsWith('- columnheader'))).toEqual(
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((name) => `- columnheader "${name}"`),
  )
  const cells = lines.filter((line) => line.startsWith('- gridcell'))
  expect(cells.length % 7).toBe(0)
  expect(cells.filter((line) => !/, (?:no posts|1 post)\b/.test(line))).toEqual([])
  expect(lines).toContain(`- gridcell "${longDay(firstDay)}, no posts"`)
  expect(lines).toContain(`- gridcell "${longDay(day)}, 1 post 09:45 Evensong Mastodon Scheduled Actions":`)
  expect(lines).toContain('- link "09:45 Evensong Mastodon Scheduled":')
  // The keys are described, and one cell is reached with the Tab key.
  expect(await grid.getAttribute('aria-describedby')).toBeTruthy()
  expect(await grid.locator('[role=gridcell][tabindex="0"]').count()).toBe(1)

  // What a change says: the new month in the heading, the new day in a message.
  await page.getByRole('button', { name: 'Next month' }).click()
  const heading = page.locator('h2[aria-live="polite"]')
  await heading.getByText(say(dayOfNextMonth(45), { month: 'long', year: 'numeric' })).waitFor()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await grid.getByRole('link', { name: /Evensong/ }).dragTo(page.locator(`[data-slot="${nextDay}"]`))
  const message = page.getByText(/Moved to .*09:45/).first()
  await message.waitFor()
  expect(await message.evaluate((element) => element.closest('[aria-live="polite"], [role="status"]') !== null)).toBe(true)
})
