import type { Post } from '@carillon/sdk'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { makeMp4 } from '../../support/files.ts'
import { makePng } from '../../support/png.ts'
import { findPlatformPosts, testStack, uniqueText } from '../../test-stack.ts'
import { openDesk, type DeskOptions } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { account, readApi, textField, waitUntilSaved, waitUntilUploaded } from './writing.ts'

const music = 'https://www.tiktok.com/legal/page/global/music-usage-confirmation/en'
const branded = 'https://www.tiktok.com/legal/page/global/bc-policy/en'

type Opening = DeskOptions & { file?: 'photo' | 'video'; seconds?: number }

/** Opens the part of a TikTok account. The simulated accounts are named after the workspace, and their names say what they may do. */
async function openCreator(workspace: string, { file = 'photo', seconds = 2, ...options }: Opening = {}) {
  // Simulated accounts have no picture that the server can draw.
  const desk = await openDesk({ expects: [404], ...options })
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true, workspace })
  await page.goto(`/w/${workspaceId}/compose`)
  await page.locator('#compose-text').waitFor()
  await page.locator('#compose-accounts').getByRole('button', { name: 'TikTok' }).click()
  await page.locator('#compose-text').fill(uniqueText('The bells ring at nine'))
  if (file === 'photo') await addPhoto(page)
  else await addVideo(page, seconds)
  await page.getByRole('tab').nth(1).click()
  return { desk, page, workspaceId }
}

async function addPhoto(page: Page): Promise<void> {
  const buffer = Buffer.from(makePng(1, 400, 700))
  await page.locator('input[type="file"]').setInputFiles([{ name: 'dawn.png', mimeType: 'image/png', buffer }])
  await page.locator('[data-save="saved"]').waitFor()
}

async function addVideo(page: Page, seconds: number): Promise<void> {
  const buffer = Buffer.from(await makeMp4({ seconds }))
  await page.locator('input[type="file"]').setInputFiles([{ name: 'raising.mp4', mimeType: 'video/mp4', buffer }])
  await page.locator('#compose-files progress').first().waitFor({ state: 'detached' })
  await page.locator('[data-save="saved"]').waitFor()
}

const audience = (page: Page) => page.getByRole('combobox', { name: 'Who can see the post' })
const publish = (page: Page) => page.getByRole('button', { name: 'Publish now' })
const box = (page: Page, name: string) => page.getByRole('checkbox', { name })
const consent = (page: Page) => page.locator('[data-consent]')

async function choose(page: Page, name: string): Promise<void> {
  await audience(page).click()
  await page.getByRole('option', { name, exact: true }).click()
}

/** What TikTok's content sharing guidelines demand of the page where a post is written, point by point and in their order. */
describe('guarantee: TikTok’s guidelines for apps are kept', () => {
  test('1 · the account that will receive the post is named and shown, from an answer that is new whenever the part is opened', async () => {
    const questions = async () => {
      const response = await fetch(`${testStack.simulatorUrl}/_control/calls?platform=tiktok&operation=stage`)
      return ((await response.json()) as { total: number }).total
    }
    const before = await questions()
    const { desk, page } = await openCreator('open tower creator')
    const creator = page.locator('[data-creator]')
    await creator.getByText('Open tower creator', { exact: true }).waitFor()
    await expect.poll(() => creator.textContent()).toContain('Posts as @open-tower-creator on TikTok')
    await expect.poll(() => creator.locator('svg, img').count()).toBeGreaterThan(0)
    expect(await questions()).toBeGreaterThan(before)
    await desk.checkBothThemes()
  })

  test('1b · an account that cannot post now stops here, and says to try again later', async () => {
    const { desk, page } = await openCreator('busy tower creator')
    await page.getByText('This account cannot post now').waitFor()
    await expect.poll(() => publish(page).isDisabled()).toBe(true)
    await expect.poll(() => publish(page).getAttribute('title')).toContain('Try again later')
    await page.keyboard.press('Control+Enter')
    expect(page.url()).toContain('/compose')
    await desk.checkBothThemes()
  })

  test('1c · a video that is longer than the account may post is refused before anything is sent', async () => {
    const { page } = await openCreator('strict tower creator', { file: 'video', seconds: 61 })
    await page
      .getByText(/TikTok takes at most 60 seconds/)
      .first()
      .waitFor()
    await choose(page, 'Everyone')
    await publish(page).click()
    await page.getByText('One thing to settle first').waitFor()
    expect(page.url()).toContain('/compose')
  })

  test('2a, 2b · the text can be edited; the audience is a list of what the account offers, and nothing is chosen', async () => {
    const { page } = await openCreator('private tower creator')
    expect(await textField(page).isEditable()).toBe(true)
    await expect.poll(() => audience(page).textContent()).toBe('Choose')
    await audience(page).click()
    expect(await page.getByRole('option').allTextContents()).toEqual(['Friends', 'Followers (private accounts only)', 'Only you'])
    await page.keyboard.press('Escape')
    await publish(page).click()
    await page.getByRole('button', { name: /Choose who can see the post on TikTok/ }).waitFor()
    expect(page.url()).toContain('/compose')
  })

  test('2c · comments, duets and stitches are off, and cannot be turned on where the account forbids them', async () => {
    const { desk, page } = await openCreator('strict tower creator', { file: 'video' })
    for (const name of ['Allow comments', 'Allow duets', 'Allow stitches']) {
      await expect.poll(() => box(page, name).isChecked()).toBe(false)
      await expect.poll(() => box(page, name).isDisabled()).toBe(true)
    }
    await desk.checkBothThemes()
    const open = await openCreator('open tower creator', { file: 'video' })
    for (const name of ['Allow comments', 'Allow duets', 'Allow stitches']) {
      await expect.poll(() => box(open.page, name).isChecked()).toBe(false)
      await expect.poll(() => box(open.page, name).isDisabled()).toBe(false)
    }
  })

  test('2c · photos have comments only', async () => {
    const { page } = await openCreator('open tower creator')
    await box(page, 'Allow comments').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: /duets|stitches/ }).count()).toBe(0)
  })

  test('2d, 4 · what a person agrees to is in sight before the button, with its links', async () => {
    const { page } = await openCreator('open tower creator')
    expect(await consent(page).allTextContents()).toEqual(["By posting, you agree to TikTok's Music Usage Confirmation"])
    await expect.poll(() => consent(page).getByRole('link').getAttribute('href')).toBe(music)
    await page.getByRole('switch', { name: 'Content disclosure' }).click()
    await box(page, 'Your brand').click()
    expect(await consent(page).allTextContents()).toEqual(["By posting, you agree to TikTok's Music Usage Confirmation"])
    await box(page, 'Branded content').click()
    expect(await consent(page).allTextContents()).toEqual([
      "By posting, you agree to TikTok's Branded Content Policy and Music Usage Confirmation.",
    ])
    const links = await consent(page).getByRole('link').all()
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([branded, music])
    // The common tab has the same button.
    await page.getByRole('tab').nth(0).click()
    await expect.poll(() => consent(page).count()).toBe(1)
  })

  test('3a, 3b · disclosure is off; its two boxes are empty, and the label is said only after a tick', async () => {
    const { desk, page } = await openCreator('open tower creator')
    const disclosure = page.getByRole('switch', { name: 'Content disclosure' })
    await expect.poll(() => disclosure.isChecked()).toBe(false)
    await expect.poll(() => page.getByRole('checkbox', { name: /Your brand|Branded content/ }).count()).toBe(0)
    await disclosure.click()
    for (const name of ['Your brand', 'Branded content']) expect(await box(page, name).isChecked()).toBe(false)
    const label = page.locator('[data-label]')
    await expect.poll(() => label.count()).toBe(0)
    await box(page, 'Your brand').click()
    await expect.poll(() => label.textContent()).toBe("Your photo/video will be labeled as 'Promotional content'")
    await box(page, 'Branded content').click()
    await expect.poll(() => label.textContent()).toBe("Your photo/video will be labeled as 'Paid partnership'")
    await box(page, 'Your brand').click()
    await expect.poll(() => label.textContent()).toBe("Your photo/video will be labeled as 'Paid partnership'")
    await desk.checkBothThemes()
  })

  test('3c · disclosure for nobody turns the button off, and says why', async () => {
    const { page } = await openCreator('open tower creator')
    await expect.poll(() => publish(page).isDisabled()).toBe(false)
    await page.getByRole('switch', { name: 'Content disclosure' }).click()
    await expect.poll(() => publish(page).isDisabled()).toBe(true)
    await expect
      .poll(() => publish(page).getAttribute('title'))
      .toBe('You need to indicate if your content promotes yourself, a third party, or both.')
    await box(page, 'Your brand').click()
    await expect.poll(() => publish(page).isDisabled()).toBe(false)
    await page.getByRole('switch', { name: 'Content disclosure' }).click()
    await expect.poll(() => publish(page).isDisabled()).toBe(false)
  })

  test('3d · branded content cannot be private, whichever is chosen first', async () => {
    const { page } = await openCreator('open tower creator')
    const reason = 'Branded content visibility cannot be set to private.'
    await page.getByRole('switch', { name: 'Content disclosure' }).click()
    await box(page, 'Branded content').click()
    await audience(page).click()
    const onlyYou = page.getByRole('option', { name: 'Only you' })
    await expect.poll(() => onlyYou.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => onlyYou.getAttribute('title')).toBe(reason)
    await page.keyboard.press('Escape')
    await box(page, 'Branded content').click()
    await choose(page, 'Only you')
    await expect.poll(() => box(page, 'Branded content').isDisabled()).toBe(true)
    await expect.poll(() => page.getByText(reason).count()).toBeGreaterThan(0)
  })

  test('5 · the post is previewed, sent as it was chosen and only then, and its processing is announced', async () => {
    const { desk, page, workspaceId } = await openCreator('open tower creator')
    const text = await page.locator('#compose-text').inputValue()
    await page.getByRole('complementary').getByText(text).first().waitFor()
    await choose(page, 'Friends')
    await box(page, 'Allow comments').click()
    await waitUntilUploaded(page, 'dawn.png')
    await waitUntilSaved(page)
    expect(await findPlatformPosts(text)).toEqual([])
    await publish(page).click()
    await page.waitForURL(/\/posts\/\w+$/)
    await page.getByText('TikTok may take a few minutes to process the post').waitFor()
    await expect.poll(async () => (await findPlatformPosts(text)).length, { timeout: 20_000, interval: 300 }).toBe(1)
    // Nothing is added to what the person wrote.
    const [post] = await findPlatformPosts(text)
    expect(post?.text).toBe(text)
    const { platformOptions } = await readApi<Post>(page, `/content/${page.url().split('/').at(-1)}`, workspaceId)
    expect(Object.values(platformOptions)).toEqual([{ privacyLevel: 'MUTUAL_FOLLOW_FRIENDS', allowComments: true }])
    await page.getByRole('article').getByText('Published', { exact: true }).first().waitFor()
    await desk.check()
  })

  test('the same in German, on a phone', async () => {
    const { desk, page } = await openCreator('open tower creator', { phone: true, language: 'de' })
    await page.getByRole('switch', { name: 'Werbung offenlegen' }).click()
    await page.getByRole('checkbox', { name: 'Bezahlte Partnerschaft' }).click()
    await expect.poll(() => consent(page).textContent()).toContain('stimmst du der Richtlinie für Markeninhalte')
    await expect.poll(() => page.locator('[data-label]').textContent()).toContain('Bezahlte Partnerschaft')
    await desk.checkBothThemes()
  })
})

test('accounts of other platforms are asked to agree to nothing', async () => {
  const desk = await openDesk()
  const { page } = desk
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  await page.goto(`/w/${workspaceId}/compose`)
  await account(page, 'Mastodon').click()
  await expect.poll(() => consent(page).count()).toBe(0)
})
