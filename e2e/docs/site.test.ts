import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSite } from '@carillon/docs-site'
import { navigation, repositoryUrl } from '@carillon/docs-site/navigation'
import { root } from '@carillon/stack/services'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccessibilityProblems } from '../browser/rig/find-accessibility-problems.ts'

const outFolder = mkdtempSync(join(tmpdir(), 'carillon-site-'))
const shots = join(root, '.shots')
let browser: Browser
beforeAll(async () => {
  const versions = [
    { name: 'unreleased', folder: '', root },
    { name: 'v0.1.0', folder: 'v0.1.0', root },
  ]
  buildSite({ versions, navigation, repositoryUrl, outFolder })
  mkdirSync(shots, { recursive: true })
  browser = await chromium.launch({
    executablePath: process.env['CARILLON_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  })
})
afterAll(async () => {
  await browser?.close()
  rmSync(outFolder, { recursive: true, force: true })
})

type Look = { isDark?: boolean; isPhone?: boolean }

/** Opens a page from the disk, without any server and without network. */
async function open(
  address: string,
  { isDark = false, isPhone = false }: Look = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 960 },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    offline: true,
  })
  const problems: string[] = []
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('request', (request) => !request.url().startsWith('file:') && problems.push(`requests ${request.url()}`))
  await page.goto(pathToFileURL(join(outFolder, address)).href)
  return { page, problems }
}

/** Guarantee: the site works from the disk, without network, on a phone and a desktop, in light and dark, and for everyone. */
test.each([
  { name: 'start', address: 'index.html' },
  { name: 'webhooks', address: 'guides/webhooks.html' },
  { name: 'configuration', address: 'configuration.html' },
  { name: 'error', address: 'errors/post_invalid.html' },
])('$name is readable in every form', async ({ name, address }) => {
  for (const [look, options] of Object.entries({ light: {}, dark: { isDark: true }, phone: { isPhone: true } })) {
    const { page, problems } = await open(address, options)
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    await page.screenshot({ path: join(shots, `docs-${name}-${look}.png`) })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await page.evaluate(() => document.fonts.check('16px "Instrument Sans"'))).toBe(true)
    expect(problems).toEqual([])
    // The last step: axe itself requests the style sheet, which a page from the disk may not do.
    expect(await findAccessibilityProblems(page)).toEqual([])
    await page.context().close()
  }
})

/** Guarantee: what a stranger asks in the first week is on the screen after one click on the first page, also on a phone. */
test.each([{ look: 'desktop' }, { look: 'phone', isPhone: true }])(
  'each question of the first week leads to its answer ($look)',
  async ({ look, ...options }) => {
    const { page, problems } = await open('index.html', options)
    const questions = page.locator('h2#in-the-first-week + ul a')
    expect(await questions.count()).toBe(11)
    await page.locator('#in-the-first-week').scrollIntoViewIfNeeded()
    await page.screenshot({ path: join(shots, `docs-first-week-${look}.png`) })
    for (const index of (await questions.all()).keys()) {
      const question = await questions.nth(index).innerText()
      await questions.nth(index).click()
      const heading = page.locator('main :target')
      await heading.waitFor()
      const box = await heading.boundingBox()
      const height = page.viewportSize()?.height ?? 0
      expect([question, await heading.evaluate((element) => element.tagName)]).toEqual([
        question,
        expect.stringMatching(/^H[12]$|^H3$/),
      ])
      expect([question, box !== null && box.y >= 0 && box.y < height]).toEqual([question, true])
      if (index === 3) await page.screenshot({ path: join(shots, `docs-first-week-answer-${look}.png`) })
      await page.goBack()
    }
    expect(problems).toEqual([])
    await page.context().close()
  },
)

test('the search finds a setting, an error and a guide, by keyboard alone', async () => {
  const { page, problems } = await open('guides/media.html')
  await page.keyboard.press('/')
  await page.keyboard.type('CARILLON_TRUSTED_PROXIES')
  await page
    .getByRole('status')
    .filter({ hasText: /\d+ found/ })
    .waitFor()
  await page.screenshot({ path: join(shots, 'docs-search.png') })
  expect(await page.locator('#results a').first().getAttribute('href')).toMatch(/configuration\.html#|tls-and-proxies\.html/)
  await page.getByRole('searchbox').fill('verify webhook signature python')
  await page.locator('#results a[href*="python.html"]').first().waitFor()
  await page.getByRole('searchbox').fill('verify webhook signature')
  await page.locator('#results a[href*="webhooks.html"]').first().waitFor()
  await page.getByRole('searchbox').fill('outcome_unknown')
  await page.locator('#results a[href="../errors/outcome_unknown.html"]').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/outcome_unknown/)
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill('qqqqqq')
  await page.getByText('Nothing found for “qqqqqq”.').waitFor()
  expect(problems).toEqual([])
})

test('the menu of a phone, the theme and the versions work', async () => {
  const { page } = await open('guides/media.html', { isPhone: true })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).waitFor()
  await page.screenshot({ path: join(shots, 'docs-menu-phone.png') })
  await page.getByRole('button', { name: 'Dark' }).click()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  await page.getByLabel('Version').selectOption({ label: 'v0.1.0' })
  await page.waitForURL(/v0\.1\.0\/guides\/media\.html$/)
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
})
