import type { Screen } from '../rig/screen.ts'
import { uploadPictures } from './pictures.fixture.ts'

export const screens: readonly Screen[] = [
  {
    name: 'media-empty',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/media`)
      await page.getByRole('heading', { level: 2 }).waitFor()
    },
  },
  {
    name: 'media-library',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/media`)
      await uploadPictures(page, ['tower-at-dawn.png', 'bell.png', 'a-very-long-name-of-a-picture-of-the-concert.png'])
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'media-details',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/media`)
      await uploadPictures(page, ['tower-at-dawn.png'])
      await page.getByRole('button', { name: 'tower-at-dawn.png', exact: true }).click()
      await page.locator('textarea[name=alt]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
]
