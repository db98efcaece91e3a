import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Carillon, Media, UploadProgress } from '@carillon/sdk'
import { CommandError } from '../cli-error.ts'
import { isCarillonError } from '../describe-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

type Library = Carillon['media']
type LocalFile = { name: string; content: Blob; idempotencyKey: string }

const partsFromBytes = 16 * 1024 * 1024
const slowBytesPerMs = 50

/**
 * Uploads a file. The key follows from the file, so that a repeated command, also of another process, gets the same item: a post that names it
 * is then the same post. After 24 hours, when the server forgets the key, the file is added once more.
 */
export async function addFile(media: Library, path: string, terminal: Pick<Terminal, 'note' | 'columns'>): Promise<Media> {
  const file = await readFile(path)
  const report = ({ sentBytes, totalBytes }: UploadProgress) => {
    if (terminal.columns !== null) terminal.note(`${file.name}: ${Math.round((100 * sentBytes) / totalBytes)} %`)
  }
  const added = file.content.size < partsFromBytes ? await addSmall(media, file) : await addLarge(media, file, report)
  // The answer may be that of an earlier upload, whose item was deleted since.
  const isThere = await media.get(added.id).catch(unlessMissing)
  return isThere ?? media.uploadFile(file.content, { name: file.name, onProgress: report })
}

async function readFile(path: string): Promise<LocalFile> {
  const name = basename(path)
  try {
    const hash = createHash('sha256').update(`${name}\n`)
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
    return { name, content: await openAsBlob(path), idempotencyKey: `cli-file-${hash.digest('hex')}` }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`The file ${path} cannot be read: ${reason}`, {
      code: 'file_unreadable',
      exitCode: exitCodes.usage,
      cause,
    })
  }
}

function addSmall(media: Library, { content, name, idempotencyKey }: LocalFile): Promise<Media> {
  const timeoutMs = 60_000 + Math.ceil(content.size / slowBytesPerMs)
  return media.upload({ file: new File([content], name) }, { idempotencyKey, timeoutMs })
}

async function addLarge(
  media: Library,
  { content, name, idempotencyKey }: LocalFile,
  onProgress: (progress: UploadProgress) => void,
): Promise<Pick<Media, 'id'>> {
  const upload = await media.startUpload({ name, sizeBytes: content.size }, { idempotencyKey })
  const state = await media.uploadStatus(upload.id).catch(unlessMissing)
  // It was completed before; the item of the library has the id of its upload.
  if (state === null) return upload
  const parts = state.parts.flatMap(({ partNumber, etag }) => (etag === null ? [] : [{ partNumber, etag }]))
  return media.uploadFile(content, { name, onProgress, resumeFrom: { upload: { ...upload, parts: state.parts }, parts } })
}

function unlessMissing(error: unknown): null {
  if (isCarillonError(error) && error.status === 404) return null
  throw error
}
