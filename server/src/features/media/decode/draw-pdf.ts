import { runDecoder } from './run-decoder.ts'
import type { DecodeOwner } from './run-queued.ts'

const limits = { timeoutMs: 5000, dataBytes: 200 * 1024 * 1024, fileBytes: 64_000_000 }

/** Draws the first page with poppler, if it is installed. A document without a thumbnail is accepted too. */
export async function drawPdf(owner: DecodeOwner, path: string, thumbnailPath: string): Promise<boolean> {
  const done = await runDecoder(owner, {
    queue: 'inspect',
    program: 'pdftoppm',
    args: (output) => ['-jpeg', '-singlefile', '-f', '1', '-l', '1', '-scale-to', '480', path, output],
    input: path,
    output: thumbnailPath,
    ending: '.jpg',
    limits,
  })
  return done.ok
}
