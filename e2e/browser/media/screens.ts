import type { Media, MediaFolder } from '@carillon/sdk'
import { makePdf } from '../../support/files.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { post } from '../rig/people.ts'
import { dayOfNextMonth, readApi } from '../rig/posts.ts'
import { createDocumentPost } from './documents.fixture.ts'
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
    name: 'media-folders',
    async open(page, { workspaceId }) {
      const context = page.context()
      await page.goto(`/w/${workspaceId}/media`)
      await uploadFiles(page, await drawPictures(context))
      const { results } = await readApi<{ results: Media[] }>({ context }, '/media', workspaceId)
      const names = ['Bell towers', 'Concerts of the summer, with a long name', 'Portraits']
      for (const [at, name] of names.entries()) {
        const made = await post(context, '/api/media/folders', { name }, workspaceId)
        const folderId = (made.data as MediaFolder).id
        if (at === 0) await post(context, '/api/media/bulk-move', { ids: results.map(({ id }) => id), folderId }, workspaceId)
        if (at === 0) await page.goto(`/w/${workspaceId}/media?folder=${folderId}`)
      }
      await page.reload()
      await page.getByRole('checkbox').nth(1).click()
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
  ...(['media', 'posts', 'calendar'] as const).map((place): Screen => ({
    name: `document-in-${place}`,
    async open(page, { workspaceId }) {
      await page.goto(`/w/${workspaceId}/media`)
      await uploadFiles(page, [
        { name: 'Programme of the year.pdf', mimeType: 'application/pdf', buffer: Buffer.from(makePdf()) },
      ])
      // A server with poppler draws the first page.
      await queryDatabase('update media set thumbnail_key = null where workspace_id = $1', [workspaceId])
      await page.reload()
      if (place === 'media') {
        await page.getByRole('button', { name: 'Programme of the year.pdf' }).click()
        await page.getByRole('dialog').waitFor()
      } else {
        const id = await createDocumentPost({ context: page.context() }, workspaceId)
        await page.goto(
          `/w/${workspaceId}/${place === 'posts' ? `posts/${id}` : `calendar?view=agenda&day=${dayOfNextMonth(10)}`}`,
        )
        await page.getByText('The programme of the year').first().waitFor()
      }
      await page.waitForLoadState('networkidle')
    },
  })),
]
