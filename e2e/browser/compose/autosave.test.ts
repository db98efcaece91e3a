import { expect, test } from 'vitest'
import type { Post } from '@carillon/sdk'
import { queryDatabase } from '../../support/query-database.ts'
import { openDesk, origin } from '../rig/desk.ts'
import { goodPassword } from '../rig/people.ts'
import { account, openComposer, readApi, textField, waitUntilSaved } from './writing.ts'

test('guarantee: a session that ends while somebody writes loses nothing; after signing in again it is saved', async () => {
  const desk = await openDesk({ expects: [401] })
  const { page } = desk
  const { workspaceId, email } = await openComposer(desk)
  await textField(page).fill('Before')
  await waitUntilSaved(page)
  await queryDatabase('delete from session where person_id = (select id from person where email = $1)', [email])
  await textField(page).press('End')
  await page.keyboard.type(' and after')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await waitUntilSaved(page)
  expect(await textField(page).inputValue()).toBe('Before and after')
  const { data } = await readApi<{ data: Post[] }>(page, '/content', workspaceId)
  expect(data.map(({ text }) => text)).toEqual(['Before and after'])
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
