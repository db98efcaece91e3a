import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ImagePlan } from '@carillon/core'
import type { Limits } from '../../../infra/sandbox/run-sandboxed.ts'
import type { DecodeResult, ImageFacts, DecodeJob, PdfFacts, RenderedFile } from './decode-job.ts'
import { type DecodeOwner, runDecoder } from './run-decoder.ts'

// In the container image the code is compiled and the file ends in .js.
const program = fileURLToPath(new URL(`./decode-process${extname(import.meta.filename)}`, import.meta.url))
const heapMb = 160
const thumbnailBytesMax = 64_000_000
const renditionBytesMax = 512_000_000

type TimeLimits = Pick<Limits, 'timeoutMs' | 'cpuMs'>

/** Reads the size of an image and makes its thumbnail. */
export function readImageFile(
  owner: DecodeOwner,
  { path, thumbnailPath, limits }: { path: string; thumbnailPath: string; limits: TimeLimits },
): Promise<DecodeResult<ImageFacts>> {
  const job = (output: string): DecodeJob => ({ kind: 'image', path, thumbnailPath: output })
  return runDecodeJob(owner, { path, output: thumbnailPath, limits, fileBytes: thumbnailBytesMax, job })
}

/** Counts the pages of a PDF. */
export function readPdfFile(
  owner: DecodeOwner,
  { path, limits }: { path: string; limits: TimeLimits },
): Promise<DecodeResult<PdfFacts>> {
  return runDecodeJob(owner, { path, output: null, limits, fileBytes: 0, job: () => ({ kind: 'pdf', path }) })
}

/** Converts an image. */
export async function renderImageFile(
  owner: DecodeOwner,
  { path, outPath, plan, limits }: { path: string; outPath: string; plan: ImagePlan; limits: TimeLimits },
): Promise<DecodeResult<RenderedFile>> {
  const job = (output: string): DecodeJob => ({ kind: 'render', path, outPath: output, plan })
  const made = await runDecodeJob<RenderedFile>(owner, { path, output: outPath, limits, fileBytes: renditionBytesMax, job })
  return 'refused' in made ? made : { ...made, sizeBytes: (await stat(outPath)).size }
}

type JobRun = {
  path: string
  output: string | null
  limits: TimeLimits
  fileBytes: number
  job(output: string): DecodeJob
}

/** Runs a job in a process of its own. If the process crashes or exceeds its limits, the file is refused. */
async function runDecodeJob<T>(owner: DecodeOwner, { path, output, limits, fileBytes, job }: JobRun): Promise<DecodeResult<T>> {
  const done = await runDecoder(owner, {
    queue: job('').kind === 'render' ? 'render' : 'inspect',
    program: process.execPath,
    args: (at) => [`--max-old-space-size=${heapMb}`, '--no-warnings', program, JSON.stringify(job(at))],
    input: path,
    output,
    limits: { ...limits, fileBytes },
  })
  if (!done.ok && done.reason === 'missing') throw new Error(`the decode process cannot be started: ${done.detail}`)
  if (!done.ok) return { refused: done.reason === 'timeout' ? 'It takes too long to open.' : 'It cannot be opened.' }
  const result = parseResult(done.output)
  const isComplete = result !== null && ('refused' in result || output === null || existsSync(output))
  return isComplete ? (result as DecodeResult<T>) : { refused: 'It cannot be opened.' }
}

const numbers = ['width', 'height', 'frames', 'pages', 'sizeBytes']

/** The file may have taken over the process, so what the process prints is not trusted: it is an object whose numbers are numbers. */
function parseResult(output: string): object | null {
  try {
    const result: unknown = JSON.parse(output)
    if (typeof result !== 'object' || result === null) return null
    const isValid = Object.entries(result).every(([name, value]) => !numbers.includes(name) || Number.isSafeInteger(value))
    return isValid ? result : null
  } catch {
    return null
  }
}
