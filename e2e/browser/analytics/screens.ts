import type { Screen } from '../rig/screen.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'

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
      await insertSamplePosts(workspaceId)
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
]
