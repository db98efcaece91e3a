import { uploadFiles } from '../media/pictures.fixture.ts'
import { drawPictures } from '../rig/draw-pictures.ts'
import { post } from '../rig/people.ts'
import { createPost } from '../rig/posts.ts'
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
      const context = page.context()
      await post(context, '/api/labels', { name: 'Town festival', color: 'teal' }, workspaceId)
      await createPost({ context }, { workspaceId, text: 'Come to the tower at dusk', saveDraft: true })
      await page.goto(`/w/${workspaceId}/media`)
      await uploadFiles(page, (await drawPictures(context)).slice(0, 1))
      await page.goto(`/w/${workspaceId}/calendar`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('to')
      await page.getByRole('option').nth(4).waitFor()
      await page.waitForLoadState('networkidle')
    },
  },
]
