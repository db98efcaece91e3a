import { expect, test } from 'vitest'
import type { Post } from '@carillon/sdk'
import { openDesk, origin } from '../rig/desk.ts'
import { account, openComposer, readApi, textField, waitUntilSaved } from './writing.ts'

test('guarantee: a page that is closed at any moment loses no letter and makes no second draft', async () => {
  // A save whose answer was lost with the page is noticed by its version.
  const desk = await openDesk({ expects: [412] })
  const { page } = desk
  const { workspaceId } = await openComposer(desk)
  let written = ''
  // Before the first save, around it, and after it.
  for (const [index, waitMs] of [0, 400, 990, 1050, 1300].entries()) {
    const word = `word${index} `
    await textField(page).press('End')
    await page.keyboard.type(word)
    written += word
    await page.waitForTimeout(waitMs)
    await page.reload()
    await textField(page).waitFor()
    expect(await textField(page).inputValue()).toBe(written)
  }
  await waitUntilSaved(page).catch(() => {})
  await expect
    .poll(async () => (await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data.map(({ text }) => text), {
      timeout: 10_000,
    })
    .toEqual([written])
})

test('guarantee: without the server the text is kept, and saved when it is back', async () => {
  const desk = await openDesk({ expects: [0] })
  const { page, context } = desk
  const { workspaceId } = await openComposer(desk)
  await textField(page).fill('Before')
  await waitUntilSaved(page)
  await context.setOffline(true)
  await textField(page).fill('Before and after')
  await page.locator('[data-save="offline"]').waitFor()
  await context.setOffline(false)
  await waitUntilSaved(page)
  const { data } = await readApi<{ data: Post[] }>(page, '/content', workspaceId)
  expect(data.map(({ text }) => text)).toEqual(['Before and after'])
})

test('guarantee: a draft that somebody else changed shows both versions', async () => {
  const desk = await openDesk({ expects: [412] })
  const { page, context } = desk
  const { workspaceId } = await openComposer(desk)
  await account(page, 'Bluesky').click()
  await textField(page).fill('First version')
  await waitUntilSaved(page)
  const id = new URL(page.url()).searchParams.get('draft') ?? ''
  await context.request.patch(`/api/content/${id}`, {
    data: { text: 'Their version' },
    headers: { origin, 'x-workspace-id': workspaceId },
  })
  await textField(page).fill('My version')
  const dialog = page.getByRole('dialog', { name: 'Somebody else changed this draft' })
  await dialog.getByText('Their version').waitFor()
  await dialog.getByText('My version').waitFor()
  await desk.check()
  await page.keyboard.press('Escape')
  expect(await textField(page).inputValue()).toBe('My version')
  await page.getByRole('button', { name: 'Compare' }).click()
  await dialog.getByRole('button', { name: 'Take the other' }).click()
  expect(await textField(page).inputValue()).toBe('Their version')
})
