import type { Screen } from '../rig/screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'palette',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
    },
  },
]
