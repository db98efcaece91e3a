import type { Screen } from '../rig/screen.ts'

const sections = ['workspace', 'members', 'webhooks', 'plan', 'audit', 'profile', 'security']

export const screens: readonly Screen[] = sections.map((section) => ({
  name: `settings-${section}`,
  async open(page, { workspaceId }) {
    await page.goto(`/w/${workspaceId}/settings/${section}`)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    // The section and its data are loaded after the page.
    await page.locator('main output').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  },
}))
