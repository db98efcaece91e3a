import type { Post } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { readApi } from '../compose/writing.ts'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'

const file = (text: string) => ({ name: 'posts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

/** Guarantee: a person sees what becomes of each row before a post is made, and cannot schedule without saying that the other tool stopped. */
test.each([{ phone: false }, { phone: true, dark: true }])(
  'a file is tried and imported, and the calendar has an address (%o)',
  async (options) => {
    const desk = await openDesk(options)
    const { page } = desk
    const { workspaceId } = await signInNewPerson(desk, { simulated: true })
    const posts = async () => (await readApi<{ data: Post[] }>(page, '/content', workspaceId)).data
    await page.goto(`/w/${workspaceId}/settings/transfer`)
    await page.getByRole('heading', { name: 'Import posts' }).waitFor()
    await page.getByLabel('File', { exact: true }).setInputFiles(file('id,connections,text\n1,,The bells ring\n2,nobody,Dong\n'))
    const rows = page.getByRole('region', { name: 'Rows of the file' })
    await rows.getByText('Ready').waitFor()
    expect(await rows.getByText('Refused').count()).toBe(1)
    expect(await posts()).toEqual([])
    expect(await page.getByRole('button', { name: 'Import and schedule' }).isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Account for nobody' }).waitFor()
    await desk.check()
    await page.getByRole('button', { name: 'Import as drafts' }).click()
    await rows.getByText('Imported').waitFor()
    expect((await posts()).map(({ text, status }) => [text, status])).toEqual([['The bells ring', 'draft']])
    await page.getByRole('button', { name: 'Import as drafts' }).click()
    await rows.getByText('Is a post already').waitFor()
    expect(await posts()).toHaveLength(1)
    await page.getByRole('button', { name: 'Make an address' }).click()
    await page.getByText(/calendar-feeds\//).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Make an address' }).waitFor()
    expect(await page.getByText(/calendar-feeds\//).count()).toBe(0)
    await desk.checkBothThemes()
  },
)
