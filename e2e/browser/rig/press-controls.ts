import type { Locator, Page } from 'playwright-core'

const controls = 'button:visible:not([disabled]):not([aria-disabled=true])'
const quick = { timeout: 600 }

/**
 * Presses everything on a page that can be pressed, and what opens then: menus, and dialogs with their fields filled in. After each it is as
 * it was. Of controls that begin with the same words, as those of the rows of a list, only the first is pressed.
 */
export async function pressControls(page: Page, settled: () => Promise<void>, reopen: () => Promise<void>): Promise<number> {
  const known = new Set<string>()
  for (let at = 0; at < 60; at++) {
    const control = page.locator('main').locator(controls).nth(at)
    if ((await control.count()) === 0) break
    const label = await labelOf(control)
    if (known.has(label)) continue
    known.add(label)
    const address = page.url()
    const press = () => control.click(quick).catch(() => {})
    await press()
    await pressOpened(page, settled, press)
    if (page.url() !== address || (await page.locator('main').locator(controls).count()) <= at) await reopen()
  }
  return known.size
}

async function pressOpened(page: Page, settled: () => Promise<void>, press: () => Promise<void>): Promise<void> {
  await settled()
  const items = page.getByRole('menuitem')
  const count = await items.count()
  for (let at = 0; at < count; at++) {
    if ((await items.count()) === 0) await press()
    await items
      .nth(at)
      .click(quick)
      .catch(() => {})
    await settled()
    await pressDialog(page, settled)
  }
  if (count === 0) await pressDialog(page, settled)
  if ((await page.locator('[role=menu], [role=listbox]').count()) > 0) await page.keyboard.press('Escape')
}

/** The last button of a dialog is the one that does it. */
async function pressDialog(page: Page, settled: () => Promise<void>): Promise<void> {
  const dialog = page.locator('[role=dialog], [role=alertdialog]').last()
  if ((await dialog.count()) === 0) return
  for (const field of await dialog.locator('input:visible:enabled, textarea:visible:enabled').all()) await fill(field)
  await dialog
    .locator(controls)
    .last()
    .click(quick)
    .catch(() => {})
  await settled()
  for (let tries = 0; tries < 3 && (await dialog.count()) > 0; tries++) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(50)
  }
}

async function fill(field: Locator): Promise<void> {
  const type = await field.getAttribute('type')
  if (type === 'checkbox' || type === 'radio' || type === 'file' || (await field.inputValue()) !== '') return
  const texts: Readonly<Record<string, string>> = {
    email: 'bell@example.com',
    url: 'https://example.com/',
    date: '2030-01-01',
    time: '09:00',
  }
  await field.fill(texts[type ?? 'text'] ?? 'https://example.com/', quick).catch(() => {})
}

async function labelOf(control: Locator): Promise<string> {
  const label = (await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? ''
  return label.trim().split(/\s+/).slice(0, 2).join(' ')
}
