import { test } from 'vitest'
import { makePdf } from '../../support/files.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { dayOfNextMonth } from '../rig/posts.ts'
import { createDocumentPost } from './documents.fixture.ts'
import { uploadFiles } from './pictures.fixture.ts'

test('guarantee: a PDF without a picture is a tile with its name and pages everywhere, and nothing asks for a picture of it', async () => {
  // A request for a picture that does not exist is an error in the page, and fails the test.
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/media`)
  await uploadFiles(page, [{ name: 'programme.pdf', mimeType: 'application/pdf', buffer: Buffer.from(makePdf()) }])
  // A server with poppler draws the first page.
  await queryDatabase('update media set thumbnail_key = null where workspace_id = $1', [workspaceId])
  await page.reload()
  await page.getByText(/^1 page · /).waitFor()
  await desk.check()
  await page.getByRole('button', { name: 'programme.pdf', exact: true }).click()
  await page.getByRole('dialog').getByText('1 page', { exact: true }).waitFor()

  const uploadId = await createDocumentPost(desk, workspaceId)
  await page.goto(`/w/${workspaceId}/calendar?view=agenda&day=${dayOfNextMonth(10)}`)
  await page.getByText('The programme of the year').first().waitFor()
  await desk.checkBothThemes()
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /The programme of the year/ }).click()
  const content = page.getByRole('region', { name: 'Preview' })
  await content.getByText('programme.pdf', { exact: true }).first().waitFor()
  await content.getByText('1 page', { exact: true }).waitFor()
  await desk.check()
  await page.goto(`/w/${workspaceId}/compose/${uploadId}`)
  await page.getByText('1 page').first().waitFor()
  await page.waitForLoadState('networkidle')
})
