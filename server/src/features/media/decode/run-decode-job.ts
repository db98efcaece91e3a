import { extname } from 'node:path'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { DecodeResult, ImageFacts, DecodeJob, PdfFacts, RenderedFile } from './decode-job.ts'
import { runLimited } from './run-limited.ts'
import { createQueue } from './create-queue.ts'

// In the image the program is built, and its neighbours end in .js.
const program = fileURLToPath(new URL(`./decode-process${extname(import.meta.filename)}`, import.meta.url))
const heapMb = 160

/** Programs that open strangers' files, at most one a processor: memory is limited for each, so their number must be too. */
export const runQueued = createQueue(availableParallelism())

type Results = { image: ImageFacts; pdf: PdfFacts; render: RenderedFile }

/** Gives a job to a process of its own. One that dies of its file, or takes too long over it, refuses it. */
export async function runDecodeJob<K extends DecodeJob['kind']>(
  job: Extract<DecodeJob, { kind: K }>,
  timeoutMs: number,
): Promise<DecodeResult<Results[K]>> {
  const args = [`--max-old-space-size=${heapMb}`, '--no-warnings', program, JSON.stringify(job)]
  const done = await runQueued(() => runLimited(process.execPath, args, { timeoutMs }))
  if (done.ok) return JSON.parse(done.output)
  if (done.reason === 'missing') throw new Error(`the worker for files does not start: ${done.detail}`)
  return { refused: done.reason === 'timeout' ? 'It takes too long to open.' : 'It cannot be opened.' }
}
