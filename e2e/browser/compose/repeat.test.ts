import type { Post, Series } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { uniqueText } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { pressOn } from '../rig/keyboard.ts'
import { signInNewPerson } from '../rig/people.ts'
import { account, readApi, textField } from './writing.ts'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: a post is repeated, its dates are seen beforehand, and the series is skipped, changed, paused and ended (%o)',
  async (options) => {
    const desk = await openDesk({ ...options, expects: [404] })
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    await page.goto(`/w/${workspaceId}/compose?at=${tomorrow}T09:00`)
    await account(page, 'Bluesky').click()
    await textField(page).fill(uniqueText('The bells ring'))
    await page.getByRole('button', { name: 'Repeat…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Daily' }).click()
    const preview = dialog.getByRole('region', { name: 'Next dates' })
    await preview.getByText(/^Every day at/).waitFor()
    expect(await preview.getByRole('listitem').count()).toBe(10)
    await desk.checkBothThemes()
    await dialog.getByRole('button', { name: 'Start repeating' }).click()
    await page.waitForURL(/\/series\?show=/)
    await page.getByText('Active', { exact: true }).waitFor()
    await desk.checkBothThemes()
    const [series] = await readApi<Series[]>(page, '/series', workspaceId)
    expect(series).toMatchObject({ unit: 'day', every: 1, time: '09:00', from: tomorrow, state: 'active' })
    // The draft has done its work.
    const { data } = await readApi<{ data: Post[] }>(page, '/content', workspaceId)
    expect(data.map(({ status, seriesId }) => [status, seriesId])).toEqual([1, 2].map(() => ['scheduled', series?.id]))

    // By keyboard: on a phone, the message about what was done is over these buttons for some seconds.
    const skip = page.getByRole('button', { name: /^Skip / }).first()
    await pressOn(page, skip)
    await page.getByText('skipped', { exact: true }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Pause' }))
    await page.getByText('Paused', { exact: true }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Resume' }))
    await page.getByText('Active', { exact: true }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Edit' }))
    await page.getByRole('dialog').getByLabel('Text', { exact: true }).fill('Other bells')
    await page.getByRole('dialog').getByText('Also change posts that are scheduled already').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Other bells').first().waitFor()
    await page
      .getByRole('link', { name: /^Show the post of / })
      .first()
      .click()
    await page.getByText(/^Recurring post of /).waitFor()
    await desk.check()
    await page.getByRole('link', { name: 'Edit the series' }).click()
    await pressOn(page, page.getByRole('button', { name: 'End' }))
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click()
    await page.getByText('Ended', { exact: true }).waitFor()
    expect((await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data).toEqual([])
  },
)
