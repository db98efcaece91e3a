import { expect, test } from 'vitest'
import { findPlatformPosts, uniqueText } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { account, openComposer, textField, waitUntilSaved } from './writing.ts'

test.each([{ phone: false }, { phone: true, dark: true }])(
  'guarantee: a thread is written, ordered, previewed and published, and its page shows how far it is (%o)',
  async (options) => {
    // Simulated accounts have no picture that the server can draw.
    const desk = await openDesk({ ...options, expects: [404] })
    const { page } = desk
    await openComposer(desk)
    for (const name of ['Bluesky', 'LinkedIn']) await account(page, name).click()
    const [one, two, three] = [uniqueText('one'), uniqueText('two'), uniqueText('three')]
    await textField(page).fill(one)
    await page.getByRole('button', { name: 'Make it a thread' }).click()
    // Written in the wrong order, and put right.
    await page.getByLabel('Post 2 of the thread').fill(three)
    await page.getByRole('button', { name: 'Add a post to the thread' }).click()
    await page.getByLabel('Post 3 of the thread').fill(two)
    await page.getByRole('button', { name: 'Move post 3 up' }).click()
    expect(await page.getByLabel('Post 2 of the thread').inputValue()).toBe(two)
    await page.getByText('No threads on LinkedIn.').waitFor()
    await desk.checkBothThemes()
    await page.getByRole('button', { name: 'Send only the first post there' }).click()
    expect(await page.getByText('No threads on LinkedIn.').count()).toBe(0)
    const preview = page.getByRole('region', { name: 'Preview' })
    for (const text of [one, two, three]) await preview.getByText(text).waitFor()
    await waitUntilSaved(page)
    // What was written is there after a reload.
    await page.reload()
    expect(await page.getByLabel('Post 3 of the thread').inputValue()).toBe(three)

    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.waitForURL(/\/posts\/\w+$/)
    await page.getByText('Thread: 3 of 3 posts published').waitFor({ timeout: 30_000 })
    await desk.checkBothThemes()
    const seen = (await Promise.all([one, two, three].map((text) => findPlatformPosts(text)))).map((posts) =>
      posts.map(({ platform }) => platform).toSorted(),
    )
    expect(seen).toEqual([['bluesky', 'linkedin'], ['bluesky'], ['bluesky']])
  },
)

test('a text that is too long is split at its sentences', async () => {
  const desk = await openDesk()
  const { page } = desk
  await openComposer(desk)
  await account(page, 'Bluesky').click()
  const sentence = 'The bells of the tower ring at nine, and everybody in the town knows what it means.'
  await textField(page).fill(Array.from({ length: 6 }, () => sentence).join(' '))
  await page.getByRole('button', { name: 'Split into a thread' }).click()
  expect(await textField(page).inputValue()).toBe([sentence, sentence, sentence].join(' '))
  expect(await page.getByLabel('Post 2 of the thread').inputValue()).toBe([sentence, sentence, sentence].join(' '))
  expect(await page.getByRole('button', { name: 'Split into a thread' }).count()).toBe(0)
})
