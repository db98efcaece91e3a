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

    // A message leaves the buttons free, and the keys too.
    const messages = page.getByRole('region', { name: 'Notifications' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await messages.getByText('Draft saved').waitFor()
    const [said, button] = [await messages.boundingBox(), await page.getByRole('button', { name: 'Publish now' }).boundingBox()]
    if (!said || !button) throw new Error('the message or the button is not shown')
    expect(said.y + said.height).toBeLessThanOrEqual(button.y)

    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/posts\/\w+$/)
    await messages.getByText('On its way').waitFor()
    const published = async () => [...(await findPlatformPosts(text)), ...(await findPlatformPosts(`${text} #carillon`))]
    await expect
      .poll(async () => (await published()).map(({ platform }) => platform), { timeout: 20_000, interval: 300 })
      .toEqual(['bluesky', 'mastodon'])
    await messages.getByText('Published').waitFor()
    expect(await messages.getByText('On its way').count()).toBe(0)
  },
)

test('guarantee: what is in the way is in sight and has the focus after an attempt, also in a small window', async () => {
  const desk = await openDesk()
  const { page } = desk
  await page.setViewportSize({ width: 1280, height: 720 })
  await openComposer(desk)
  for (const name of ['Mastodon', 'Bluesky', 'Instagram', 'TikTok']) await account(page, name).click()
  await textField(page).fill('The bells ring at nine')
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: 'Publish now' }).click()
  const summary = page.getByRole('alert').filter({ hasText: 'to settle first' })
  await summary.waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('compose-summary')
  const [box, bar] = [await summary.boundingBox(), await page.getByRole('button', { name: 'Publish now' }).boundingBox()]
  if (!box || !bar) throw new Error('the summary or the button is not shown')
  expect([box.y >= 0, box.y + box.height <= bar.y]).toEqual([true, true])
  await page.getByRole('button', { name: /problems · Show/ }).waitFor()
  await desk.checkBothThemes()
})

test('guarantee: nothing is published for nobody to see unless the person chose that', async () => {
  // Simulated accounts have no picture that the server can draw.
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  await openComposer(desk)
  await account(page, 'TikTok').click()
  await textField(page).fill('The bells ring at nine')
  await page
    .locator('input[type="file"]')
    .setInputFiles([{ name: 'dawn.png', mimeType: 'image/png', buffer: Buffer.from(makePng(1)) }])
  await waitUntilUploaded(page, 'dawn.png')
  await waitUntilSaved(page)
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('button', { name: /Choose who can see the post on TikTok/ }).click()
  await page.getByRole('combobox', { name: 'Who can see the post' }).waitFor()
  expect(page.url()).toContain('/compose')
  await desk.check()
})

test('guarantee: too long for one platform is said at the text, and nothing is published', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Mastodon').click()
  await account(page, 'Bluesky').click()
  await textField(page).fill('x'.repeat(310))
  await page.getByText('too many for Bluesky (at most 300)').waitFor()
  // One fact has one message, and the part that is too much is marked.
  expect(await page.getByText('takes at most 300 characters').count()).toBe(0)
  expect(await page.locator('mark').textContent()).toBe('x'.repeat(10))
  expect(await textField(page).getAttribute('aria-invalid')).toBe('true')
  expect(await page.locator(`#${await textField(page).getAttribute('aria-describedby')}`).textContent()).toContain('too many')
  // Both are read out, without a step to the field.
  for (const said of ['The text is too long for Bluesky.', '1 problem'])
    await page.getByRole('status').filter({ hasText: said }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('One thing to settle first').waitFor()
  await page.getByRole('button', { name: 'Bluesky takes at most 300 characters; this text has 310.' }).waitFor()
  await desk.checkBothThemes()
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
