import type { Screen } from '../rig/screen.ts'

export const screens: readonly Screen[] = [
  {
    name: 'not-found',
    async open(page) {
      await page.goto('/nowhere')
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  {
    name: 'keys',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'palette',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    },
  },
  {
    name: 'palette-found',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('in')
      await page.getByRole('option').nth(4).waitFor()
    },
  },
]
