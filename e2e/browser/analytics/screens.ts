import type { Screen } from '../rig/screen.ts'
import { insertSampleFollowers } from '../rig/sample-followers.ts'
import { insertSamplePosts } from '../rig/sample-posts.ts'

export const screens: readonly Screen[] = [
  {
    name: 'analytics-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
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
  {
    name: 'analytics-followers',
    async open(page, { workspaceId }) {
      await insertSampleFollowers(workspaceId, ['bluesky', 'mastodon', 'threads'])
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.locator('.recharts-line-curve').first().waitFor()
    },
  },
  {
    name: 'analytics-own-days',
    async open(page, { workspaceId }) {
      await insertSamplePosts(workspaceId)
      await page.goto(`/w/${workspaceId}/analytics?days=own&from=2026-10-01&to=2026-12-31&by=connection`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
]
