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
import { createGcTrigger } from '../../../infra/storage/create-gc-trigger.ts'
import { sampleBytes, sniff, type Kind } from '../inspect/sniff.ts'

/** A file that rests on this machine until it has been looked at. */
export type Received = Kind & { path: string; sizeBytes: number; sha256: Buffer }

/**
 * Writes a stream down, however long it is, with no more of it in memory than a few chunks. What is not media by its first bytes is
 * refused before the rest has come; what is too large, as soon as it is.
 */
export async function receiveFile(ctx: Context, source: Readable): Promise<Received> {
  const { spoolDir } = ctx.storage
  await mkdir(spoolDir, { recursive: true })
  const path = join(spoolDir, newUuid())
  const reader = new Reader(ctx.config.media.sizeBytesMax)
  try {
    await pipeline(source, reader, createWriteStream(path, { flush: true }))
    return { ...reader.result(), path }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

class Reader extends Transform {
  readonly #bytesMax: number
  readonly #hash = createHash('sha256')
  readonly #tidy = createGcTrigger()
  #head: Buffer[] = []
  #kind: Kind | null = null
  #bytes = 0

  constructor(bytesMax: number) {
    super()
    this.#bytesMax = bytesMax
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null, chunk?: Buffer) => void): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
    this.#tidy(chunk.length)
    if (this.#bytes > this.#bytesMax) return done(tooLarge(this.#bytesMax))
    if (this.#kind) return done(null, chunk)
    this.#head.push(chunk)
    if (this.#bytes < sampleBytes) return done()
    this.#judge().then((head) => done(null, head), done)
  }

  override _flush(done: (error?: Error | null, chunk?: Buffer) => void): void {
    if (this.#kind) return done()
    this.#judge().then((head) => done(null, head), done)
  }

  result(): Kind & { sizeBytes: number; sha256: Buffer } {
    if (!this.#kind) throw new Error('the file has not been read')
    return { ...this.#kind, sizeBytes: this.#bytes, sha256: this.#hash.digest() }
  }

  async #judge(): Promise<Buffer> {
    const head = Buffer.concat(this.#head)
    this.#head = []
    const { kind, found } = await sniff(head)
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
