import type { Page } from 'playwright-core'
import type { TestPerson } from '../rig/people.ts'
import { dayOfNextMonth, insertPosts } from '../rig/posts.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'
import type { Screen } from '../rig/screen.ts'

type Fill = (page: Page, person: TestPerson) => Promise<void>

const fill: Fill = (_page, { workspaceId }) => insertSamplePosts(workspaceId)

const calendar = (name: string, search: string, before = fill): Screen => ({
  name,
  async open(page, person) {
    await before(page, person)
    await page.goto(`/w/${person.workspaceId}/calendar?${search}`)
    await page.locator('[data-entry]').first().waitFor()
  },
})

export const screens: readonly Screen[] = [
  {
    name: 'calendar-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByText(/Nothing (?:is planned|in)|Hier ist noch nichts/).waitFor()
    },
  },
  calendar('calendar-month', ''),
  calendar('calendar-week', 'view=week'),
  calendar('calendar-agenda', 'view=agenda'),
  calendar('calendar-full', `day=${dayOfNextMonth(14)}`, (page, { workspaceId }) =>
    insertPosts({ context: page.context() }, workspaceId, 1000),
  ),
  {
    name: 'calendar-post',
    async open(page, person) {
      await calendar('', '').open(page, person)
      // The first post of the month that is published: it has figures.
      await page.locator('[data-entry] a').first().click()
      await page.locator('#discussion-title').waitFor()
      await page.getByRole('article').first().waitFor()
    },
  },
  {
    name: 'calendar-move',
    async open(page, person) {
      await calendar('', 'view=agenda').open(page, person)
      await page.locator('[data-entry] a').last().press('m')
      await page.getByRole('dialog').waitFor()
    },
  },
]
