import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Signer } from './create-signer.ts'
import { cellParameter } from '../db/sql-parts.ts'
import { cellOf, isId, newUuid, ownCell } from '../db/ids.ts'
import {
  FileMissing,
  type FileView,
  InvalidParts,
  type Part,
  type PartStorage,
  type Range,
  type Storage,
  isStorageKey,
  openReadStream,
} from './storage.ts'
import { computeEtag } from './write-part.ts'

type Options = { dir: string; filesUrl: string; signer: Signer; nowMs?: () => number }

/** Stores files in a folder of this machine. Its signed URLs are served by media/download/file.routes.ts. */
export function createFolderStorage({ dir, filesUrl, signer, nowMs = Date.now }: Options): Storage {
  const spoolDir = join(dir, '.spool')
  const spoolPath = async () => {
    await mkdir(spoolDir, { recursive: true })
    return join(spoolDir, newUuid())
  }
  const moveToKey = async (path: string, key: string) => {
    const target = pathOf(dir, key)
    await mkdir(dirname(target), { recursive: true })
    await move(path, target)
  }
  const put = async (key: string, source: Readable) => {
    const path = await spoolPath()
    try {
      await pipeline(source, createWriteStream(path, { flush: true }))
      await moveToKey(path, key)
    } finally {
      await rm(path, { force: true })
    }
  }
  return {
    spoolDir,
    put,
    putFile: (key, path) => moveToKey(path, key),
    get: (key, range) => openFile(pathOf(dir, key), key, range),
    head: (key) => sizeOf(pathOf(dir, key)),
    async withFile(key, work) {
      const path = pathOf(dir, key)
      if (!(await sizeOf(path))) throw new FileMissing(key)
      return work(path)
    },
    async delete(keys) {
      const paths = keys.map((key) => pathOf(dir, key))
      await Promise.all(paths.map((path) => rm(path, { force: true })))
      // Removes the folder of an item after its last file; rmdir fails if the folder is not empty.
      await Promise.all(paths.map((path) => rmdir(dirname(path)).catch(() => {})))
    },
    async signGet(key, { expiresInSeconds, ...view }: FileView) {
      const params = {
        ...cellOfForeign(key),
        type: view.mimeType,
        name: view.fileName,
        as: view.isAttachment ? 'attachment' : 'inline',
      }
      const query = signer.sign({ method: 'GET', key, expiresAtMs: nowMs() + expiresInSeconds * 1000, params })
      return `${filesUrl}/files/${key}?${query}`
    },
    parts: createParts({ dir, filesUrl, signer, nowMs, put }),
  }
}

/** A workspace that has moved here has the ids of another cell, so an address of its files says where they are now. */
function cellOfForeign(key: string): Record<string, string> {
  const workspaceId = key.slice(0, 24)
  return isId(workspaceId) && cellOf(workspaceId) !== ownCell() ? { [cellParameter]: String(ownCell()) } : {}
}

type PartOptions = Required<Options> & { put: (key: string, source: Readable) => Promise<void> }

function createParts({ dir, filesUrl, signer, nowMs, put }: PartOptions): PartStorage {
  return {
    async create() {
      const uploadId = newUuid()
      await mkdir(partFolder(dir, uploadId), { recursive: true })
      return uploadId
    },
    async sign(key, { uploadId, partNumber, sizeBytes, expiresInSeconds }) {
      const params = { ...cellOfForeign(key), uploadId, partNumber: String(partNumber), sizeBytes: String(sizeBytes) }
      const query = signer.sign({ method: 'PUT', key, expiresAtMs: nowMs() + expiresInSeconds * 1000, params })
      return `${filesUrl}/files/${key}?${query}`
    },
    async list(_key, uploadId) {
      const folder = partFolder(dir, uploadId)
      const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name))
      const numbers = names.map(Number).toSorted((one, other) => one - other)
      const parts: Part[] = []
      for (const partNumber of numbers)
        parts.push({ partNumber, etag: `"${await computeEtag(join(folder, String(partNumber)))}"` })
      return parts
    },
    async complete(key, uploadId, parts) {
      const folder = partFolder(dir, uploadId)
      await checkParts(folder, parts)
      await put(key, concatenate(parts.map(({ partNumber }) => join(folder, String(partNumber)))))
      await rm(folder, { recursive: true, force: true })
    },
    abort: (_key, uploadId) => rm(partFolder(dir, uploadId), { recursive: true, force: true }),
  }
}

/** The folder of a workspace, and the files of the server itself. An address can name neither, because it must be an `isStorageKey`. */
const ownKey = /^([0-9a-f]{24}|\.carillon\/[a-z]+\.json)$/

/** The path of the file with this key. */
function pathOf(dir: string, key: string): string {
  if (!isStorageKey(key) && !ownKey.test(key)) throw new Error(`${key} is not a key`)
  return join(dir, key)
}

/** The folder with the parts of an upload that is not complete yet. */
export function partFolder(dir: string, uploadId: string): string {
  if (!/^[0-9a-f-]{36}$/.test(uploadId)) throw new Error(`${uploadId} is not an upload`)
  return join(dir, '.parts', uploadId)
}

async function checkParts(folder: string, parts: readonly Part[]): Promise<void> {
  const received = new Set(await readdir(folder).catch(() => []))
  for (const [at, { partNumber, etag }] of parts.entries()) {
    if (at > 0 && partNumber <= (parts[at - 1]?.partNumber ?? 0)) throw new InvalidParts('The parts must be in ascending order.')
    if (!received.has(String(partNumber))) throw new InvalidParts(`Part ${partNumber} has not been uploaded.`)
    if ((await computeEtag(join(folder, String(partNumber)))) !== etag.replaceAll('"', ''))
      throw new InvalidParts(`Part ${partNumber} does not match its ETag.`)
  }
}

function concatenate(paths: readonly string[]): Readable {
  return Readable.from(
    (async function* () {
      for (const path of paths) yield* openReadStream(path)
    })(),
    { objectMode: false },
  )
}

async function openFile(path: string, key: string, range: Range | undefined): Promise<Readable> {
  if (!(await sizeOf(path))) throw new FileMissing(key)
  return openReadStream(path, range)
}

async function sizeOf(path: string): Promise<{ sizeBytes: number } | null> {
  try {
    const { size, isFile } = await stat(path).then((found) => ({ size: found.size, isFile: found.isFile() }))
    return isFile ? { sizeBytes: size } : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // Another disk: copy to a temporary name first, so that an incomplete file is never read.
    await copyFile(from, `${to}.new`)
    await rename(`${to}.new`, to)
    await rm(from, { force: true })
  }
}
