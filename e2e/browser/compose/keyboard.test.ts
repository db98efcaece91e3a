import type { Post } from '@carillon/sdk'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makePng } from '../../support/png.ts'
import { findPlatformPosts, uniqueText } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { readApi, textField, waitUntilSaved, waitUntilUploaded } from './writing.ts'

/** What has the focus: its name for screen readers, or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? '') : (element?.textContent ?? '')
    return element?.getAttribute('aria-label') ?? label
  })
}

async function tabTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Each account is a stop on the way.
  for (let step = 0; step < 80; step++) {
    if (name.test(await focused(page))) return
    await page.keyboard.press(key)
  }
  throw new Error(`${name} was not reached with ${key}; the focus is on "${await focused(page)}"`)
}

/** What a screen reader finds, in this order. */
const composerTree = [
  '- heading "New post" [level=1]',
  '- region "Accounts":',
  '- tablist "Write for":',
  '- tab "All accounts" [selected]',
  '- tab "Bluesky"',
  '- tab "Mastodon"',
  '- tabpanel "All accounts":',
  '- textbox "Text":',
  '- button "Write with AI"',
  '- list "Files":',
  '- button "Crop bell.png"',
  '- button "Remove bell.png"',
  '- textbox "Alt text of bell.png":',
  '- button "Add files"',
  '- button "From the library"',
  '- button "From a URL"',
  '- region "When":',
  '- radiogroup "When":',
  '- radio "Later" [checked]',
  '- textbox "Day": Wed, 3 Mar 2027',
  '- button "Choose the day in a calendar"',
  '- combobox "Time": 09:00',
  '- combobox "Time zone": Tokyo (UTC+9)',
  '- region "Preview":',
  '- figure "As Bluesky would show it, roughly":',
  '- button "Save draft"',
  '- button "Schedule"',
]

test('guarantee: from the calendar to a post on two accounts, with a photo and a time, by keyboard alone', async () => {
  // Simulated accounts have no picture that the server can draw.
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/calendar`)
  await page.getByRole('grid').waitFor()
  // The page listens for keys some milliseconds after it is drawn: a test can be faster than that, a person cannot.
  const pressN = async () => {
    if (!page.url().includes('/compose')) await page.keyboard.press('n')
    return page.url()
  }
  await expect.poll(pressN, { interval: 300, timeout: 10_000 }).toContain('/compose')
  // Whoever comes to write can write at once.
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), { timeout: 10_000 }).toBe('compose-text')

  await page.keyboard.press('Alt+a')
  for (const name of [/Bluesky/, /Mastodon/]) {
    await tabTo(page, name)
    await page.keyboard.press('Space')
  }
  await page.keyboard.press('Alt+0')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id), { timeout: 5000 }).toBe('compose-text')
  const text = uniqueText('Written without a mouse')
  await page.keyboard.type(text)

  // The browser must know before the key is pressed that the test answers its dialog.
  const choosing = page.waitForEvent('filechooser')
  await tabTo(page, /^Add files$/)
  await page.keyboard.press('Enter')
  await (await choosing).setFiles([{ name: 'bell.png', mimeType: 'image/png', buffer: Buffer.from(makePng(3)) }])
  await page.getByLabel('Alt text of bell.png').waitFor()
  await page.keyboard.press('Alt+t')
  await page.keyboard.type('A bell at dawn')

  await page.keyboard.press('Alt+w')
  // Typing replaces what is there, and nothing is called wrong meanwhile.
  await page.keyboard.type('3/3/2027')
  await tabTo(page, /^Time$/)
  // An open list hides nothing from a screen reader that the keyboard can reach.
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: '09:30' }).waitFor()
  await desk.check()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('9')
  await tabTo(page, /^Time zone$/)
  await page.keyboard.type('new y')
  await page.getByRole('option', { name: /New York.*UTC−5/ }).waitFor()
  expect(await page.locator('#compose-when [aria-invalid="true"]').count()).toBe(0)
  await desk.check()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('tok')
  await page.keyboard.press('Enter')
  await page.getByText('Wed 3 Mar, 09:00 Tokyo · 01:00 for you').first().waitFor()
  await waitUntilUploaded(page, 'bell.png')
  await waitUntilSaved(page)
  const tree = (await page.getByRole('main').ariaSnapshot()).split('\n').map((line) => line.trim())
  expect(tree.filter((line) => composerTree.includes(line))).toEqual(composerTree)
  await desk.check()

  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/posts\/\w+$/)
  const id = page.url().split('/').at(-1) ?? ''
  const post = await readApi<Post>(page, `/content/${id}`, workspaceId)
  expect(post).toMatchObject({ status: 'scheduled', scheduledAt: '2027-03-03T00:00:00.000Z', timezone: 'Asia/Tokyo' })
  await page.getByText('Scheduled for Wed 3 Mar, 09:00 Tokyo · 01:00 for you').waitFor()

  await tabTo(page, /^Publish now$/)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await tabTo(page, /^Publish now$/)
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await findPlatformPosts(text)).map(({ platform, media }) => [platform, media[0]?.alt]).toSorted(), {
      timeout: 20_000,
      interval: 300,
    })
    .toEqual([
      ['bluesky', 'A bell at dawn'],
      ['mastodon', 'A bell at dawn'],
    ])
})

test('guarantee: the keys of the composer are in the dialog of all keys', async () => {
  const desk = await openDesk()
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const { page } = desk
  await page.goto(`/w/${workspaceId}/compose`)
  await textField(page).waitFor()
  // A question mark belongs to the text here.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('all keys')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'All keys' })
  await dialog.getByText('Next missing alt text').waitFor()
  await desk.check()
})
