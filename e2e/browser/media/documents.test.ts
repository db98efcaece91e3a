import type { Connection, Media } from '@carillon/sdk'
import { test } from 'vitest'
import { makePdf } from '../../support/files.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { openDesk } from '../rig/desk.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { dayOfNextMonth, readApi } from '../rig/posts.ts'
import { uploadFiles } from './pictures.fixture.ts'

test('guarantee: a PDF without a picture is a tile with its name and pages everywhere, and nothing asks for a picture of it', async () => {
  // A request for a picture that does not exist is an error in the page, and fails the test.
  const desk = await openDesk()
  const { page, context } = desk
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

  const { results } = await readApi<{ results: Media[] }>(desk, '/media', workspaceId)
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const linkedIn = connections.find(({ platform }) => platform === 'linkedin')?.slug ?? ''
  const body = {
    connections: [linkedIn],
    title: 'The programme of the year',
    medias: [results[0]?.id],
    scheduledAt: `${dayOfNextMonth(10)}T09:45`,
    timezone: 'Europe/Berlin',
  }
  const { data } = await post(context, '/api/content/document', body, workspaceId)
  const { uploadId } = data as { uploadId: string }

  await page.goto(`/w/${workspaceId}/calendar?view=agenda&day=${dayOfNextMonth(10)}`)
  await page.getByText('The programme of the year').first().waitFor()
  await desk.checkBothThemes()
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /The programme of the year/ }).click()
  const content = page.getByRole('region', { name: 'Content' })
  await content.getByText('programme.pdf', { exact: true }).waitFor()
  await content.getByText('1 page', { exact: true }).waitFor()
  await desk.check()
  await page.goto(`/w/${workspaceId}/compose/${uploadId}`)
  await page.getByText('1 page').first().waitFor()
  await page.waitForLoadState('networkidle')
})
