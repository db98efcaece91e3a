import { makePng } from '../../support/png.ts'
import type { Screen } from '../rig/screen.ts'

const text =
  'The new bell is in the tower. It was cast in March, weighs 1.2 tonnes and is tuned to D. Come and hear it on Saturday at nine: https://example.com/tower #carillon'

export const screens: readonly Screen[] = [
  {
    name: 'compose',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').waitFor()
    },
  },
  {
    name: 'compose-written',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(text)
      for (const at of [0, 1, 2, 3]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      const photos = [1, 2, 3].map((seed) => ({
        name: `bell-${seed}.png`,
        mimeType: 'image/png',
        buffer: Buffer.from(makePng(seed)),
      }))
      await page.locator('input[type="file"]').setInputFiles(photos)
      await page.getByRole('radio').nth(1).click()
      await page.locator('[data-save="saved"]').waitFor()
    },
  },
  {
    name: 'compose-refused',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/compose`)
      await page.locator('#compose-text').fill(`${text} `.repeat(4))
      for (const at of [0, 1, 6]) await page.locator('#compose-accounts button[aria-pressed]').nth(at).click()
      await page.getByRole('tab').nth(3).click()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('alert').first().waitFor()
    },
  },
]
