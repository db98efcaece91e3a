import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { testStack } from '../../test-stack.ts'
import { findAccessibilityProblems } from './find-accessibility-problems.ts'

const executablePath = process.env['CARILLON_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'

/** The public address of the stack. */
export const origin = testStack.baseUrl.replace('127.0.0.1', 'localhost').replace(/\/api$/, '')

export type DeskOptions = {
  phone?: boolean
  dark?: boolean
  language?: 'en' | 'de'
  /** Statuses of refused requests that this test causes on purpose: the browser reports each as an error. */
  expects?: readonly number[]
  /** Where the requests of the window are sent: see start-link.ts. */
  proxy?: string
  /** It stays open when the test ends, for the next one. What goes wrong in it is only known by asking. */
  isShared?: boolean
}

export type Desk = {
  page: Page
  context: BrowserContext
  /** Fails on sideways scrolling and on serious findings of axe. Call it on every screen that a test shows. */
  check(): Promise<void>
  /** The same, then once more in the other theme. */
  checkBothThemes(): Promise<void>
  /** What went wrong in the window since the last time: errors, and pages that scroll sideways. */
  takeProblems(): Promise<string[]>
}

let browser: Browser | null = null
const open: Pick<Desk, 'context' | 'takeProblems'>[] = []

/** A window of its own, with its own cookies. When the test ends, anything that went wrong in it fails the test. */
export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const { phone = false, dark = false, language = 'en', expects = [], proxy, isShared = false } = options
  browser ??= await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] })
  const context = await browser.newContext({
    baseURL: origin,
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 960 },
    hasTouch: phone,
    isMobile: phone,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...(proxy !== undefined && { proxy: { server: proxy } }),
  })
  context.setDefaultTimeout(60_000)
  const problems: string[] = []
  const takeProblems = async () => [...problems.splice(0), ...(await findSideways(context))]
  if (!isShared) open.push({ context, takeProblems })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`content security policy: ${violatedDirective} ${blockedURI}`),
    )
  })
  context.on('page', (page) => watch(page, problems, expects))
  const page = await context.newPage()
  const check = () => checkScreen(page)
  const checkBothThemes = async () => {
    await check()
    await page.emulateMedia({ colorScheme: dark ? 'light' : 'dark' })
    await page.locator(`html[data-theme=${dark ? 'light' : 'dark'}]`).waitFor()
    // Colours change over 120 ms.
    await page.waitForTimeout(200)
    await check()
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
  }
  return { page, context, check, checkBothThemes, takeProblems }
}

function watch(page: Page, problems: string[], expects: readonly number[]): void {
  page.on('pageerror', (error) => problems.push(`error in the page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const status = Number(/responded with a status of (\d+)/.exec(message.text())?.[1] ?? 0)
    if (!expects.includes(status)) problems.push(`console.error: ${message.text()} (${message.location().url})`)
  })
}

async function checkScreen(page: Page): Promise<void> {
  expect(await sidewaysPixels(page)).toBe(0)
  expect(await findAccessibilityProblems(page)).toEqual([])
}

/**
 * Compared with the width of the root, because a phone zooms out until everything fits: `innerWidth` grows with what is too wide. Charts follow a
 * change of the window some frames later, so what is too wide is measured again.
 */
async function sidewaysPixels(page: Page): Promise<number> {
  const measure = () =>
    page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
  let pixels = await measure()
  for (let attempt = 0; pixels > 0 && attempt < 10; attempt++) {
    await page.waitForTimeout(100)
    pixels = await measure()
  }
  return pixels
}

async function findSideways(context: BrowserContext): Promise<string[]> {
  const found = await Promise.all(context.pages().map(async (page) => ({ url: page.url(), pixels: await sidewaysPixels(page) })))
  return found.filter(({ pixels }) => pixels > 0).map(({ url, pixels }) => `${url} scrolls sideways by ${pixels} pixels`)
}

afterEach(async () => {
  const desks = open.splice(0)
  const problems = await Promise.all(desks.map((desk) => desk.takeProblems()))
  await Promise.all(desks.map(({ context }) => context.close()))
  expect(problems.flat()).toEqual([])
})

afterAll(async () => {
  await browser?.close()
  browser = null
})
