import type { BrowserContext, Page } from 'playwright-core'
import { textField } from './writing.ts'

/** Ends the process of a page, as a crash does: no event of the page runs any more. */
export async function killTab(context: BrowserContext, page: Page): Promise<void> {
  const cdp = await context.newCDPSession(page)
  const isOver = page.waitForEvent('crash')
  // Its answer never comes.
  cdp.send('Page.crash').catch(() => {})
  await isOver
  await page.close()
}

type TypedKey = { key: string; atMs: number }

/** Types words for some milliseconds, and tells when each key was pressed. */
export async function typeFor(page: Page, durationMs: number): Promise<TypedKey[]> {
  await textField(page).press('End')
  const endMs = performance.now() + durationMs
  const typed: TypedKey[] = []
  do {
    const key = typed.length % 6 === 5 ? ' ' : 'abcdefghijklmnopqrstuvwxyz'.charAt(Math.floor(Math.random() * 26))
    await page.keyboard.press(key)
    typed.push({ key, atMs: performance.now() })
  } while (performance.now() < endMs)
  return typed
}

/** How long before the end the first lost key was pressed; 0 if none was lost. The text must be the beginning of what was typed. */
export function lostMs(typed: readonly TypedKey[], found: string, killedAtMs: number): number {
  const written = typed.map(({ key }) => key).join('')
  if (!written.startsWith(found)) throw new Error(`"${found}" is not the beginning of "${written}"`)
  const lost = typed[found.length]
  return lost ? killedAtMs - lost.atMs : 0
}
