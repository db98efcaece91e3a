import type { Page } from 'playwright-core'
import { makePng } from '../../support/png.ts'

/** A file for the file dialog of the page. */
function picture(name: string, width = 320): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'image/png', buffer: Buffer.from(makePng(width, width, 240)) }
}

/** Uploads pictures as a person does, and waits until they are in the library. */
export function uploadPictures(page: Page, names: readonly string[]): Promise<void> {
  return uploadFiles(
    page,
    names.map((name, at) => picture(name, 320 + 40 * at)),
  )
}

/** The same with given files. */
export async function uploadFiles(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(files)
  for (const { name } of files) await page.getByRole('list').getByRole('button', { name, exact: true }).waitFor()
}
