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
  const tree = await grid.ariaSnapshot()
  console.log(await page.ariaSnapshot())
  expect(tree).toContain('columnheader')
})
