import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatBytes } from '@carillon/core'
import type { Context } from '../../../context.ts'
import { newUuid } from '../../../infra/db/ids.ts'
import { Problem, problem } from '../../../infra/problem/problem.ts'
import { createStreamGc } from '../../../infra/storage/create-stream-gc.ts'
import { sampleBytes, detectFileType, type FileType } from '../inspect/detect-file-type.ts'

/** A file in the spool folder that has not been inspected yet. */
export type ReceivedFile = FileType & { path: string; sizeBytes: number; sha256: Buffer }

/**
 * Writes a stream of any length to the spool folder, with only a few chunks in memory. A file whose first bytes are not media is refused
 * before the rest is read, and one that is too large as soon as it exceeds the limit.
 */
export async function receiveFile(
  ctx: Context,
  source: Readable,
  bytesMax: number = ctx.config.media.sizeBytesMax,
): Promise<ReceivedFile> {
  const { spoolDir } = ctx.storage
  await mkdir(spoolDir, { recursive: true })
  const path = join(spoolDir, newUuid())
  const checker = new StreamChecker(Math.min(bytesMax, ctx.config.media.sizeBytesMax))
  try {
    await pipeline(source, checker, createWriteStream(path, { flush: true }))
    return { ...checker.result(), path }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Passes a stream through while it checks type and size and computes the hash. */
class StreamChecker extends Transform {
  readonly #bytesMax: number
  readonly #hash = createHash('sha256')
  readonly #collectGarbage = createStreamGc()
  #head: Buffer[] = []
  #kind: FileType | null = null
  #bytes = 0

  constructor(bytesMax: number) {
    super()
    this.#bytesMax = bytesMax
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null, chunk?: Buffer) => void): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    this.#collectGarbage(chunk.length)
    if (this.#bytes > this.#bytesMax) return done(tooLarge(this.#bytesMax))
    if (this.#kind) return done(null, chunk)
    this.#head.push(chunk)
    if (this.#bytes < sampleBytes) return done()
    this.#detectType().then((head) => done(null, head), done)
  }

  override _flush(done: (error?: Error | null, chunk?: Buffer) => void): void {
    if (this.#kind) return done()
    this.#detectType().then((head) => done(null, head), done)
  }

  result(): FileType & { sizeBytes: number; sha256: Buffer } {
    if (!this.#kind) throw new Error('the type of the file has not been detected yet')
    return { ...this.#kind, sizeBytes: this.#bytes, sha256: this.#hash.digest() }
  }

  async #detectType(): Promise<Buffer> {
    const head = Buffer.concat(this.#head)
    this.#head = []
    const { kind, found } = await detectFileType(head)
    if (!kind) throw refusedType(head.length === 0 ? 'It is empty.' : found ? `It is ${found}.` : 'It is none that is known.')
    this.#kind = kind
    return head
  }
}

export function tooLarge(bytesMax: number): Problem {
  return problem('media_too_large', { message: `The file is larger than ${formatBytes(bytesMax)}, the most that is taken here.` })
}

export function refusedType(why: string): Problem {
  const message = `${why} Images may be JPEG, PNG, WebP, GIF or AVIF, videos MP4, MOV or WebM, documents PDF.`
  return problem('media_type_refused', {
    message: `Files of this type are not taken. ${message}`,
    details: [{ path: 'file', message }],
  })
}
