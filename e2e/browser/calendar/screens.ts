import type { Page } from 'playwright-core'
import { createPost, dayOfNextMonth, insertPosts } from '../rig/posts.ts'
import type { TestPerson } from '../rig/people.ts'
import type { Screen } from '../rig/screen.ts'

const texts = [
  'Evensong at six',
  'The new bell arrives',
  'Open tower day',
  'Practice night for ringers',
  'Thank you to our donors',
]

async function fill(page: Page, { workspaceId }: TestPerson): Promise<void> {
  const desk = { context: page.context() }
  const platforms = ['mastodon', 'bluesky', 'threads', 'x']
  for (const [at, text] of [...texts, ...texts].entries())
    await createPost(desk, {
      workspaceId,
      text: `${text}, part ${at + 1}: all are welcome.`,
      platform: platforms[at % platforms.length] ?? 'mastodon',
      wall: `${dayOfNextMonth(3 + ((at * 5) % 24))}T${String(8 + at).padStart(2, '0')}:30`,
    })
}

const calendar = (name: string, address: string, before = fill): Screen => ({
  name,
  async open(page, person) {
    await before(page, person)
    await page.goto(`/w/${person.workspaceId}/calendar?day=${dayOfNextMonth(14)}${address}`)
    await page.locator('[data-entry]').first().waitFor()
  },
})

export const screens: readonly Screen[] = [
  {
    name: 'calendar-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
    },
  },
  calendar('calendar-month', ''),
  calendar('calendar-week', '&view=week'),
  calendar('calendar-agenda', '&view=agenda'),
  calendar('calendar-full', '', (page, { workspaceId }) => insertPosts({ context: page.context() }, workspaceId, 1000)),
  {
    name: 'calendar-move',
    async open(page, person) {
      await calendar('', '&view=agenda').open(page, person)
      await page.locator('[data-entry] a').first().press('m')
      await page.getByRole('dialog').waitFor()
    },
  },
]
