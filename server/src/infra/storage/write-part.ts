import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The ETag of a part is the MD5 of its bytes, as in S3. It identifies a part and is no protection against manipulation. */
export async function computeEtag(path: string): Promise<string> {
  const hash = createHash('md5')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

/** Writes a part completely or not at all, and returns its ETag; null if it is larger than `bytesMax`. */
export async function writePart(path: string, source: Readable, bytesMax: number): Promise<string | null> {
  const hash = createHash('md5')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(bytes > bytesMax ? new PartTooLarge() : null, chunk)
    },
  })
  const temporaryPath = `${path}.new`
  try {
    await pipeline(source, measure, createWriteStream(temporaryPath, { flush: true }))
    await rename(temporaryPath, path)
    return hash.digest('hex')
  } catch (error) {
    await rm(temporaryPath, { force: true })
    if (error instanceof PartTooLarge) return null
    throw error
  }
}

class PartTooLarge extends Error {}
