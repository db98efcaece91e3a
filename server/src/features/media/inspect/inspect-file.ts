import { rm, stat } from 'node:fs/promises'
import type { MediaTraits } from '@carillon/core'
import { problem } from '../../../infra/problem/problem.ts'
import { checkBoxes } from './check-boxes.ts'
import type { DecodeResult } from '../decode/decode-job.ts'
import { drawPdf } from '../decode/draw-pdf.ts'
import { readVideo } from '../decode/read-video.ts'
import { readImageFile, readPdfFile } from '../decode/run-decode-job.ts'
import { MissingToolError } from '../decode/missing-tool-error.ts'
import type { DecodeOwner } from '../decode/run-queued.ts'
import { detectPolyglot } from './detect-polyglot.ts'
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

const openTimeoutMs = 8000
const documentBytesMax = 100 * 1024 * 1024

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
  const result = await readImageFile(owner, { path, thumbnailPath, timeoutMs: openTimeoutMs })
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
  const { pages } = requireReadable(await readPdfFile(owner, { path, timeoutMs: openTimeoutMs }))
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
