import { readFile } from 'node:fs/promises'
import { getDocumentProxy } from 'unpdf'
import type { DecodeResult, PdfFacts } from './decode-job.ts'

export const pagesMax = 2000

/** Counts the pages. Nothing is drawn and no script of the document is run. */
export async function readPdf({ path }: { path: string }): Promise<DecodeResult<PdfFacts>> {
  const bytes = new Uint8Array(await readFile(path))
  const document = await getDocumentProxy(bytes, { stopAtErrors: true }).catch((error: unknown) => error)
  if (document instanceof Error) {
    const isLocked = document.name === 'PasswordException'
    return { refused: isLocked ? 'The document is locked with a password.' : 'The document cannot be read as a PDF.' }
  }
  const opened = document as Awaited<ReturnType<typeof getDocumentProxy>>
  const { numPages } = opened
  const hasPage = await opened.getPage(1).then(
    () => true,
    () => false,
  )
  if (numPages < 1 || !hasPage) return { refused: 'The document has no page that can be shown.' }
  if (numPages > pagesMax) return { refused: `The document has ${numPages} pages; at most ${pagesMax} are taken.` }
  return { pages: numPages }
}
