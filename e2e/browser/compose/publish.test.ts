import { expect, test } from 'vitest'
import type { Connection, Post } from '@carillon/sdk'
import { makePng } from '../../support/png.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { findPlatformPosts, uniqueText } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { account, openComposer, readApi, textField, waitUntilSaved, waitUntilUploaded } from './writing.ts'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: a text with photos is written once, published to two accounts, and seen in the feed (%o)',
  async (options) => {
    // Simulated accounts have no picture that the server can draw.
    const desk = await openDesk({ ...options, expects: [404] })
    const { page } = desk
    await openComposer(desk)
    await desk.check()
    const text = uniqueText('The bells ring at nine https://example.com/tower')
    await account(page, 'Bluesky').click()
    await account(page, 'Mastodon').click()
    await textField(page).fill(text)
    await page.locator('input[type="file"]').setInputFiles([
      { name: 'dawn.png', mimeType: 'image/png', buffer: Buffer.from(makePng(1)) },
      { name: 'dusk.png', mimeType: 'image/png', buffer: Buffer.from(makePng(2)) },
    ])
    await page.getByLabel('Alt text of dawn.png').fill('A bell at dawn')
    for (const name of ['dawn.png', 'dusk.png']) await waitUntilUploaded(page, name)
    await page.getByRole('tab', { name: 'Mastodon' }).click()
    await textField(page).fill(`${text} #carillon`)
    await page.getByRole('tab', { name: 'Mastodon differs' }).waitFor()
    await waitUntilSaved(page)
    await desk.check()

    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.waitForURL(/\/posts\/\w+$/)
    const published = async () => [...(await findPlatformPosts(text)), ...(await findPlatformPosts(`${text} #carillon`))]
    await expect
      .poll(async () => (await published()).map(({ platform }) => platform), { timeout: 20_000, interval: 300 })
      .toEqual(['bluesky', 'mastodon'])
  },
)

test('guarantee: too long for one platform is said at the text, and nothing is published', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Mastodon').click()
  await account(page, 'Bluesky').click()
  await textField(page).fill('x'.repeat(310))
  await page.getByText('Bluesky takes at most 300 characters; this text has 310.').waitFor()
  await page.getByText('too many for Bluesky').waitFor()
  // Both are read out, without a step to the field.
  for (const said of ['The text is too long for Bluesky.', '1 problem'])
    await page.getByRole('status').filter({ hasText: said }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('One thing to settle first').waitFor()
  await desk.check()
  await waitUntilSaved(page)
  const { data } = await readApi<{ data: Post[] }>(page, '/content', workspaceId)
  expect(data.map(({ status }) => status)).toEqual(['draft'])

  // Shortened for that account alone, it is as long as before for the other.
  await page.keyboard.press('Alt+2')
  await textField(page).fill('short')
  await page.getByText('too many for Bluesky').waitFor({ state: 'hidden' })
  await page.keyboard.press('Alt+r')
  expect(await textField(page).inputValue()).toHaveLength(310)
})

test('guarantee: what the server refuses is said at its field, and the text stays', async () => {
  const desk = await openDesk({ expects: [422, 409] })
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  const connections = await readApi<Connection[]>(page, `/workspaces/${workspaceId}/connections`, workspaceId)
  const bluesky = connections.find(({ platform }) => platform === 'bluesky')
  await account(page, 'Bluesky').click()
  await textField(page).fill('Still here')
  await waitUntilSaved(page)
  await queryDatabase(`update connection set status = 'needs_reconnect' where id = $1`, [bluesky?.id ?? ''])
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('must be connected again before it can publish').first().waitFor()
  expect(await textField(page).inputValue()).toBe('Still here')
  await desk.check()
})
