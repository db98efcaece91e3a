import type { Connection } from '@carillon/sdk'
import { test } from 'vitest'
import { openDesk } from '../rig/desk.ts'
import { post, signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'

test('guarantee: what an account gets instead of the common text can be read on the page of the post', async () => {
  const desk = await openDesk()
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const slugs = connections.filter(({ platform }) => platform === 'mastodon' || platform === 'linkedin').map(({ slug }) => slug)
  const linkedIn = connections.find(({ platform }) => platform === 'linkedin')?.slug ?? ''
  const body = {
    connections: slugs,
    text: 'Evensong at six',
    platformOptions: { [linkedIn]: { text: 'We are hiring a ringer' } },
    scheduledAt: `${dayOfNextMonth(10)}T09:45`,
    timezone: 'Europe/Berlin',
  }
  await post(context, '/api/content/text', body, workspaceId)
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /Evensong at six/ }).click()
  await page
    .getByRole('article', { name: /LinkedIn/ })
    .getByText('We are hiring a ringer')
    .waitFor()
  await desk.checkBothThemes()
})

test('guarantee: the search of the app finds a post by a word in it', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const id = await createPost(desk, {
    workspaceId,
    text: 'Our barista explains the new roast',
    wall: `${dayOfNextMonth(10)}T09:45`,
  })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('roast')
  await page.getByRole('option', { name: /Our barista explains/ }).click()
  await page.waitForURL(`**/posts/${id}`)
})
