import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DecodeResult, ImageFacts, DecodeJob, PdfFacts, RenderedFile } from './decode-job.ts'
import { runLimited } from './run-limited.ts'
import { runQueued, type DecodeOwner } from './run-queued.ts'

// In the container image the code is compiled and the file ends in .js.
const program = fileURLToPath(new URL(`./decode-process${extname(import.meta.filename)}`, import.meta.url))
const heapMb = 160

type ResultOf = { image: ImageFacts; pdf: PdfFacts; render: RenderedFile }

/** Runs a job in a process of its own. If the process crashes or exceeds its limits, the file is refused. */
export async function runDecodeJob<K extends DecodeJob['kind']>(
  owner: DecodeOwner,
  job: Extract<DecodeJob, { kind: K }>,
  timeoutMs: number,
): Promise<DecodeResult<ResultOf[K]>> {
  const args = [`--max-old-space-size=${heapMb}`, '--no-warnings', program, JSON.stringify(job)]
  const queue = job.kind === 'render' ? 'render' : 'inspect'
  const done = await runQueued(owner, queue, () => runLimited(process.execPath, args, { timeoutMs }))
  if (done.ok) return JSON.parse(done.output)
  if (done.reason === 'missing') throw new Error(`the decode process cannot be started: ${done.detail}`)
  return { refused: done.reason === 'timeout' ? 'It takes too long to open.' : 'It cannot be opened.' }
}
