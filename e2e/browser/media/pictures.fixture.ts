import type { Page } from 'playwright-core'
import { makePng } from '../../support/png.ts'

/** A file for the file dialog of the page. */
function picture(name: string, width = 320): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'image/png', buffer: Buffer.from(makePng(width, width, 240)) }
}

/** Uploads pictures as a person does, and waits until they are in the library. */
export async function uploadPictures(page: Page, names: readonly string[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(names.map((name, at) => picture(name, 320 + 40 * at)))
  for (const name of names) await page.getByRole('list').getByRole('button', { name, exact: true }).waitFor()
}
