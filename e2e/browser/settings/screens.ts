import { publishOn } from '../analytics/publish.fixture.ts'
import type { Screen } from '../rig/screen.ts'

const sections = ['workspace', 'members', 'webhooks', 'plan', 'audit', 'profile', 'security']

const sectionScreens: readonly Screen[] = sections.map((section) => ({
  name: `settings-${section}`,
  async open(page, { workspaceId }) {
    await page.goto(`/w/${workspaceId}/settings/${section}`)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    // The section and its data are loaded after the page.
    await page.locator('main output').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  },
}))

export const screens: readonly Screen[] = [
  ...sectionScreens,
  {
    name: 'settings-operator',
    isOperator: true,
    async open(page, { workspaceId }) {
      await publishOn(page.context(), workspaceId, ['bluesky', 'mastodon', 'threads', 'x'])
      await page.goto(`/w/${workspaceId}/settings/operator`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
]
