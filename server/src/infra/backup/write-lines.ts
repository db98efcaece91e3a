import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** Writes each text as a JSON string on a line of its own, compressed. Returns the number of lines and the hash of the file. */
export async function writeLines(
  path: string,
  batches: AsyncIterable<readonly string[]>,
): Promise<{ rows: number; sha256: string }> {
  let rows = 0
  const lines = async function* () {
    for await (const batch of batches) {
      rows += batch.length
      yield batch.map((text) => `${JSON.stringify(text)}\n`).join('')
    }
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600, flush: true }))
  return { rows, sha256: await hashFile(path) }
}

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const batchSize = 500

/** What `writeLines` wrote, in batches. */
export async function* readLines(path: string): AsyncIterable<string[]> {
  const input = createReadStream(path).pipe(createGunzip())
  let batch: string[] = []
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    batch.push(JSON.parse(line) as string)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
