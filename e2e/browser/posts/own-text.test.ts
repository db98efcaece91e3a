import type { Connection, Media } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { uploadPictures } from '../media/pictures.fixture.ts'
import { openDesk } from '../rig/desk.ts'
import { createWorkspace, post, signInNewPerson } from '../rig/people.ts'
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

test('guarantee: own files and settings are on the page, and a post that only its author sees is not shown as published for all', async () => {
  // Simulated accounts have no picture that the server can draw.
  const desk = await openDesk({ language: 'de', expects: [404] })
  const { page, context } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/media`)
  await uploadPictures(page, ['turm.png', 'glocke.png'])
  const { results } = await readApi<{ results: Media[] }>(desk, '/media', workspaceId)
  const idOf = (wanted: string) => results.find(({ name }) => name === wanted)?.id ?? ''
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const slugOf = (wanted: string) => connections.find(({ platform }) => platform === wanted)?.slug ?? ''
  const body = {
    connections: [slugOf('tiktok'), slugOf('mastodon')],
    text: 'Vesper um sechs',
    medias: [idOf('turm.png')],
    platformOptions: {
      [slugOf('tiktok')]: { allowComments: true },
      [slugOf('mastodon')]: { medias: [idOf('glocke.png')], mediaOptions: [{ alt: 'Eine Glocke' }], spoiler: 'Es wird laut' },
    },
    async: true,
  }
  await post(context, '/api/content/photos', body, workspaceId)
  await page.goto(`/w/${workspaceId}/posts`)
  await page.getByRole('link', { name: /Vesper um sechs/ }).click()
  const mastodon = page.getByRole('article', { name: /Mastodon/ })
  await mastodon.getByText('Es wird laut').waitFor()
  await mastodon.getByRole('img', { name: 'Eine Glocke' }).waitFor()
  const tiktok = page.getByRole('article', { name: /TikTok/ })
  await tiktok.getByText('Veröffentlicht, nur für dich sichtbar').waitFor({ timeout: 60_000 })
  await tiktok.getByText('Kommentare erlauben').waitFor()
  await tiktok.getByText('Nur du siehst diesen Beitrag').waitFor()
  // It was announced before, and is said once now.
  expect(await tiktok.getByText('weil niemand gewählt hat').count()).toBe(1)
  // What the server says is in German too.
  expect(await tiktok.innerText()).not.toMatch(/\b(?:only|because|post)\b/i)
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

test('guarantee: the search of the app finds accounts, parts of the settings, workspaces and actions', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const other = await createWorkspace(desk, { simulated: false, workspace: 'Second belfry' })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const search = async (words: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(words)
    await page.getByRole('option', { name: option }).waitFor()
    await desk.check()
    await page.getByRole('option', { name: option }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await search('threads', /, Threads$/)
  await page.waitForURL('**/integrations')
  await search('audit', /^Settings: Audit log$/)
  await page.waitForURL('**/settings/audit')
  await search('connect an', /^Connect an account$/)
  await page.waitForURL('**/integrations')
  await search('new post', /^New post/)
  await page.waitForURL('**/compose')
  await search('belfry', /^Workspace Second belfry$/)
  await page.waitForURL(`**/w/${other}/**`)
})
