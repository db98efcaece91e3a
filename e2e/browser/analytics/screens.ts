import type { Screen } from '../rig/screen.ts'
import { collectFigures, publishOn } from './publish.fixture.ts'

export const screens: readonly Screen[] = [
  {
    name: 'analytics-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.getByRole('heading', { level: 2 }).waitFor()
    },
  },
  {
    name: 'analytics-figures',
    async open(page, { workspaceId }) {
      await publishOn(page.context(), workspaceId, ['bluesky', 'mastodon', 'threads', 'x'])
      await collectFigures(page.context(), workspaceId)
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
]
