import { open, rm, stat, type FileHandle } from 'node:fs/promises'
import type { MediaTraits } from '@carillon/core'
import { problem } from '../../../infra/problem/problem.ts'
import { type DecodeResult, MissingToolError } from '../decode/decode-job.ts'
import { openLimits, readVideo } from '../decode/read-video.ts'
import { readImageFile, readPdfFile } from '../decode/run-decode-job.ts'
import { type DecodeOwner, runDecoder } from '../decode/run-decoder.ts'
import type { FileType } from './detect-file-type.ts'

/** The facts about a file that are known after it was opened. */
export type Inspection = {
  width: number | null
  height: number | null
  durationSeconds: number | null
  pages: number | null
  traits: MediaTraits
  thumbnail: { path: string; mimeType: string } | null
}

const imageLimits = { cpuMs: 8000, timeoutMs: 60_000 }
const documentBytesMax = 100 * 1024 * 1024

const endBytes = 66_000
const zipEnd = Buffer.from([0x50, 0x4b, 0x05, 0x06])
const zipEndBytes = 22

const boxesMax = 10_000

const drawLimits = { ...openLimits, dataBytes: 200 * 1024 * 1024, fileBytes: 64_000_000 }

/** Opens a file in a separate process, and refuses it with a reason if its content does not match its type. */
export async function inspectFile(owner: DecodeOwner, path: string, kind: FileType): Promise<Inspection> {
  const thumbnailPath = `${path}-thumbnail`
  const file = { ...kind, path, thumbnailPath }
  try {
    const polyglot = await detectPolyglot(path, kind)
    if (polyglot) throw unreadable(polyglot)
    if (kind.type === 'image') return await inspectImage(owner, file)
    if (kind.type === 'video') return await inspectVideo(owner, file)
    return await inspectDocument(owner, file)
  } catch (error) {
    await rm(thumbnailPath, { force: true })
    throw error
  }
}

type OpenedFile = FileType & { path: string; thumbnailPath: string }

async function inspectImage(owner: DecodeOwner, { path, thumbnailPath, mimeType }: OpenedFile): Promise<Inspection> {
  const result = await readImageFile(owner, { path, thumbnailPath, limits: imageLimits })
  // HEIC needs a decoder that few installations have.
  if ('refused' in result && mimeType === 'image/heic')
    throw problem('media_type_refused', { message: 'This installation cannot open HEIC pictures; send it as JPEG.' })
  const { width, height, frames, hasAlpha, hasMetadata } = requireReadable(result)
  const traits = { frames, hasAlpha, hasMetadata }
  const thumbnail = { path: thumbnailPath, mimeType: 'image/webp' }
  return { width, height, durationSeconds: null, pages: null, traits, thumbnail }
}

async function inspectVideo(owner: DecodeOwner, { path, thumbnailPath, mimeType }: OpenedFile): Promise<Inspection> {
  const broken = mimeType === 'video/webm' ? null : await checkBoxes(path)
  if (broken) throw unreadable(broken)
  const facts = await readVideo(owner, { path, mimeType, thumbnailPath }).catch((error: unknown) => {
    if (!(error instanceof MissingToolError)) throw error
    const message = 'This installation cannot open videos: ffmpeg is not installed on its server.'
    throw problem('media_type_refused', { message, cause: error })
  })
  const { width, height, durationSeconds, ...traits } = requireReadable(facts)
  const thumbnail = { path: thumbnailPath, mimeType: 'image/jpeg' }
  return { width, height, durationSeconds, pages: null, traits, thumbnail }
}

async function inspectDocument(owner: DecodeOwner, { path, thumbnailPath }: OpenedFile): Promise<Inspection> {
  const { size } = await stat(path)
  if (size > documentBytesMax) throw problem('media_too_large', { message: 'A PDF may have at most 100 MB.' })
  const { pages } = requireReadable(await readPdfFile(owner, { path, limits: imageLimits }))
  const isDrawn = await drawPdf(owner, path, thumbnailPath)
  const thumbnail = isDrawn ? { path: thumbnailPath, mimeType: 'image/jpeg' } : null
  return { width: null, height: null, durationSeconds: null, pages, traits: {}, thumbnail }
}

function requireReadable<T extends object>(result: DecodeResult<T>): T {
  if ('refused' in result) throw unreadable(result.refused)
  return result
}

function unreadable(reason: string) {
  return problem('media_unreadable', {
    message: `The file cannot be used. ${reason}`,
    details: [{ path: 'file', message: reason }],
  })
}

/**
 * Finds files that are valid in a second format (polyglots). An image that is also an archive, a PDF or a web page has no honest use:
 * another program might open it in the other format. Videos that phones append to photos are allowed.
 */
async function detectPolyglot(path: string, { type }: FileType): Promise<string | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = Buffer.alloc(Math.min(4096, size))
    await file.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(Math.min(endBytes, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    if (isZip(tail)) return 'The file is an archive as well.'
    if (type !== 'document' && head.includes('%PDF-')) return 'The file is a PDF as well.'
    if (type !== 'document' && /<(?:script|html|svg|\?php|!doctype)/i.test(head.toString('latin1')))
      return 'The file is a web page as well.'
    return null
  } finally {
    await file.close()
  }
}

/** A ZIP archive is read from its end: an end record, followed by a comment that reaches exactly to the last byte. */
function isZip(tail: Buffer): boolean {
  for (let at = tail.lastIndexOf(zipEnd); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(zipEnd, at - 1)) {
    if (at + zipEndBytes > tail.length) continue
    const commentBytes = tail.readUInt16LE(at + 20)
    if (at + zipEndBytes + commentBytes === tail.length) return true
  }
  return false
}

/**
 * Finds MP4 and MOV files that were cut off or have other data appended. Such a file is a sequence of boxes, each with its length, so only
 * the headers of the boxes are read. ffprobe does not notice this: it accepts a file with an intact index.
 */
async function checkBoxes(path: string): Promise<string | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const seen = new Set<string>()
    let offset = 0
    for (let n = 0; n < boxesMax && offset < size; n++) {
      const box = await readBox(file, offset, size)
      if (!box || box.length < 8) return 'The video is damaged.'
      if (offset + box.length > size) return 'The video is cut off: its end is missing.'
      seen.add(box.name)
      offset += box.length
    }
    if (offset !== size) return 'The video is damaged.'
    if (!seen.has('moov')) return 'The video is cut off: its index is missing.'
    return null
  } finally {
    await file.close()
  }
}

async function readBox(file: FileHandle, offset: number, size: number): Promise<{ name: string; length: number } | null> {
  const head = Buffer.alloc(16)
  const { bytesRead } = await file.read(head, 0, 16, offset)
  if (bytesRead < 8) return null
  const name = head.toString('latin1', 4, 8)
  if (!/^[\x20-\x7e\xa9]{4}$/.test(name)) return null
  const short = head.readUInt32BE(0)
  // 0 means "to the end of the file"; 1 means that a 64-bit length follows.
  if (short === 0) return { name, length: size - offset }
  if (short > 1) return { name, length: short }
  return bytesRead === 16 ? { name, length: Number(head.readBigUInt64BE(8)) } : null
}

/** Draws the first page with poppler, if it is installed. A document without a thumbnail is accepted too. */
async function drawPdf(owner: DecodeOwner, path: string, thumbnailPath: string): Promise<boolean> {
  const done = await runDecoder(owner, {
    queue: 'inspect',
    program: 'pdftoppm',
    args: (output) => ['-jpeg', '-singlefile', '-f', '1', '-l', '1', '-scale-to', '480', path, output],
    input: path,
    output: thumbnailPath,
    ending: '.jpg',
    limits: drawLimits,
  })
  return done.ok
}
