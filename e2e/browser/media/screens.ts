import { drawPictures } from '../rig/draw-pictures.ts'
import type { Screen } from '../rig/screen.ts'
import { uploadFiles } from './pictures.fixture.ts'

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
      const [first, second, third] = await drawPictures(page.context())
      if (!first || !second || !third) throw new Error('there are three pictures')
      await uploadFiles(page, [first, second, { ...third, name: 'a-very-long-name-of-a-picture-of-the-concert.png' }])
      await page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'media-details',
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/media`)
      await uploadFiles(page, (await drawPictures(page.context())).slice(0, 1))
      await page.getByRole('button', { name: 'tower-at-dawn.png', exact: true }).click()
      await page.locator('textarea[name=alt]').waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
]
