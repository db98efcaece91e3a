import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartError } from '../problem/problem.ts'

export const manifestFile = 'manifest.json'
const format = 1

/** What a backup contains and what it needs. It has the ids of the secret keys and never the keys. */
export type Manifest = {
  format: typeof format
  version: string
  /** The time of the snapshot: everything stored before it is in the backup. */
  takenAt: string
  migrations: string[]
  keyIds: string[]
  tables: Record<string, { rows: number; sha256: string }>
  media: { files: number; bytes: number; sha256: string }
}

export const currentFormat: Manifest['format'] = format

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    throw new StartError(
      `There is no backup in ${folder}: it has no ${manifestFile}. Give the folder that "carillon backup" printed.`,
      {
        cause: error,
      },
    )
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== format)
    throw new StartError(`The backup in ${folder} has the format ${String(manifest.format)}. Use the release that made it.`)
  return manifest
}

export function tableFile(folder: string, table: string): string {
  return join(folder, 'tables', `${table}.gz`)
}

export function mediaFile(folder: string): string {
  return join(folder, 'media.gz')
}

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
