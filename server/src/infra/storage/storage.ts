import type { Readable } from 'node:stream'

/** Where the bytes are. A key starts with the id of the workspace it belongs to. */
export type Storage = {
  /** A folder to rest files in on their way; with a folder store, on the same disk. */
  spoolDir: string
  /** Streams in a file of any length; what stood there before is replaced. */
  put(key: string, body: Readable, facts: FileFacts): Promise<void>
  /** The same from a file of this machine, which may be moved away. */
  putFile(key: string, path: string, facts: FileFacts): Promise<void>
  /** Throws `FileMissing` when there is none. */
  get(key: string, range?: Range): Promise<Readable>
  head(key: string): Promise<{ sizeBytes: number } | null>
  /** Lends the file to a program that needs a path; it must not change it. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Nothing happens for keys that are not there. */
  delete(keys: readonly string[]): Promise<void>
  /** An address that gives the file to whoever has it, until it runs out. */
  signGet(key: string, view: FileView): Promise<string>
  parts: PartStorage
}

/** A large file that is sent in parts, by somebody else, straight to the store. */
export type PartStorage = {
  create(key: string, facts: FileFacts): Promise<string>
  sign(key: string, part: { uploadId: string; partNumber: number; expiresInSeconds: number }): Promise<string>
  /** Throws `InvalidParts` when they are not those that were sent. */
  complete(key: string, uploadId: string, parts: readonly Part[]): Promise<void>
  /** Nothing happens when there is no such upload. */
  abort(key: string, uploadId: string): Promise<void>
}

export type FileFacts = { mimeType: string }
/** Both ends included. */
export type Range = { start: number; end: number }
export type Part = { partNumber: number; etag: string }

/** How a file presents itself to who opens its address. */
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

/** Keys are made by us; this is for those that come back in an address. */
export function isStorageKey(text: string): boolean {
  return /^[0-9a-f]{24}(\/[a-z0-9][a-z0-9_-]*)+$/.test(text) && text.length <= 200
}

/** Any name survives: plain for old readers, whole for the others (RFC 6266). */
export function contentDisposition({ fileName, isAttachment }: Pick<FileView, 'fileName' | 'isAttachment'>): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(fileName).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${isAttachment ? 'attachment' : 'inline'}; filename="${plain}"; filename*=UTF-8''${whole}`
}
