import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Each account is a stop on the way, and the previews of all platforms are others. */
const tabsMax = 250

/** Presses Tab until the element has the focus, as a person without a pointer does. It must then be visible that it has it. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  // What still loads is passed over by the key, and a press takes no time here.
  await expect.poll(() => target.isEnabled()).toBe(true)
  for (let presses = 0; presses < tabsMax && !(await hasFocus(target)); presses++) await page.keyboard.press(key)
  expect(await hasFocus(target), `the Tab key reaches ${String(target)}`).toBe(true)
  expect(await showsFocus(target), `the focus is visible on ${String(target)}`).toBe(true)
}

/** Goes to a field with the Tab key and types. */
export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Goes to a button or a link with the Tab key and presses Enter. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement)
}

/** The outline may be drawn around the element or around what contains it. */
function showsFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    for (let each: Element | null = element, steps = 0; each !== null && steps < 3; each = each.parentElement, steps++) {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true
    }
    return false
  })
}
