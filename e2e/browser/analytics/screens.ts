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
  {
    name: 'analytics-own-days',
    async open(page, { workspaceId }) {
      await insertSamplePosts(workspaceId)
      await page.goto(`/w/${workspaceId}/analytics?days=own&from=2026-10-01&to=2026-12-31&by=connection`)
      await page.locator('.recharts-bar-rectangle').first().waitFor()
    },
  },
  {
    name: 'analytics-report-dialog',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/analytics`)
      await page.getByRole('button', { name: /^(Report for a client|Bericht für Kunden)$/ }).click()
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    },
  },
]
