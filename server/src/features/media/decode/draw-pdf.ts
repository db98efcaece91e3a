import { rename, rm } from 'node:fs/promises'
import { runLimited } from './run-limited.ts'
import { runQueued, type DecodeOwner } from './run-queued.ts'

const drawTimeoutMs = 5000
const drawMemoryBytes = 200 * 1024 * 1024

/** Draws the first page with poppler, if it is installed. A document without a thumbnail is accepted too. */
export async function drawPdf(owner: DecodeOwner, path: string, thumbnailPath: string): Promise<boolean> {
  const args = ['-jpeg', '-singlefile', '-f', '1', '-l', '1', '-scale-to', '480', path, thumbnailPath]
  const limits = { timeoutMs: drawTimeoutMs, dataBytes: drawMemoryBytes }
  const done = await runQueued(owner, 'inspect', () => runLimited('pdftoppm', args, limits))
  const drawn = `${thumbnailPath}.jpg`
  if (done.ok) await rename(drawn, thumbnailPath)
  else await rm(drawn, { force: true })
  return done.ok
}
