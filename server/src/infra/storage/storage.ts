import { type ReadStream, close, createReadStream, open, read } from 'node:fs'
import type { Readable } from 'node:stream'
import { createStreamGc } from './create-stream-gc.ts'

/** A store for files. A key starts with the id of the workspace to which the file belongs. */
export type Storage = {
  /** A local folder for temporary files; for a folder store, it is on the same disk. */
  spoolDir: string
  /** Stores a stream of any length; replaces an existing file. */
  put(key: string, body: Readable, facts: FileFacts): Promise<void>
  /** Stores a local file, which may be moved away. */
  putFile(key: string, path: string, facts: FileFacts): Promise<void>
  /** Throws `FileMissing` if there is no file with this key. */
  get(key: string, range?: Range): Promise<Readable>
  head(key: string): Promise<{ sizeBytes: number } | null>
  /** Calls `work` with a local path of the file, which `work` must not change. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Keys without a file are ignored. */
  delete(keys: readonly string[]): Promise<void>
  /** A URL that returns the file without further authentication until it expires. */
  signGet(key: string, view: FileView): Promise<string>
  parts: PartStorage
}

/** For large files that a client uploads in parts, directly to the store. */
export type PartStorage = {
  create(key: string, facts: FileFacts): Promise<string>
  /** A URL for one part of this size. The storage refuses a larger one, because only this much was counted for the workspace. */
  sign(key: string, part: { uploadId: string; partNumber: number; sizeBytes: number; expiresInSeconds: number }): Promise<string>
  /** The parts that have arrived, in ascending order; none if there is no such upload. */
  list(key: string, uploadId: string): Promise<Part[]>
  /** Throws `InvalidParts` if they are not the parts that were uploaded. */
  complete(key: string, uploadId: string, parts: readonly Part[]): Promise<void>
  /** Does nothing if there is no such upload. */
  abort(key: string, uploadId: string): Promise<void>
}

export type FileFacts = { mimeType: string }
/** Both ends included. */
export type Range = { start: number; end: number }
export type Part = { partNumber: number; etag: string }

/** How a browser shows the file when it opens a signed URL. */
export type FileView = { expiresInSeconds: number; mimeType: string; fileName: string; isAttachment: boolean }

export class FileMissing extends Error {
  constructor(key: string) {
    super(`there is no file ${key}`)
    this.name = 'FileMissing'
  }
}

export class InvalidParts extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'InvalidParts'
  }
}

/** Checks a key from a URL; keys that we create are always valid. */
export function isStorageKey(text: string): boolean {
  return /^[0-9a-f]{24}(\/[a-z0-9][a-z0-9_-]*)+$/.test(text) && text.length <= 200
}

/** A Content-Disposition header for any file name: ASCII for old clients, and the full name in UTF-8 for all others (RFC 6266). */
export function contentDisposition({ fileName, isAttachment }: Pick<FileView, 'fileName' | 'isAttachment'>): string {
  const asciiName = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encodedName = encodeURIComponent(fileName).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${isAttachment ? 'attachment' : 'inline'}; filename="${asciiName}"; filename*=UTF-8''${encodedName}`
}

const chunkBytes = 64 * 1024

/** Reads a file of any length with constant memory. */
export function openReadStream(path: string, range?: { start: number; end: number }): ReadStream {
  const countBytes = createStreamGc()
  const readAndCount: typeof read = ((...args: Parameters<typeof read>) => {
    countBytes(chunkBytes)
    return read(...args)
  }) as typeof read
  return createReadStream(path, { ...range, highWaterMark: chunkBytes, fs: { open, close, read: readAndCount } })
}
