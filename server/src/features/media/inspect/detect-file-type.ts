import type { MediaType } from '@carillon/contract'
import { fileTypeFromBuffer } from 'file-type'

export type FileType = { type: MediaType; mimeType: string }

/** How much of the beginning of a file is needed to detect its type. */
export const sampleBytes = 16_384

/** The accepted types; some have several MIME types, which are mapped to one. */
const acceptedTypes: Readonly<Record<string, FileType>> = {
  'image/jpeg': { type: 'image', mimeType: 'image/jpeg' },
  'image/png': { type: 'image', mimeType: 'image/png' },
  'image/apng': { type: 'image', mimeType: 'image/png' },
  'image/webp': { type: 'image', mimeType: 'image/webp' },
  'image/gif': { type: 'image', mimeType: 'image/gif' },
  'image/avif': { type: 'image', mimeType: 'image/avif' },
  'image/heic': { type: 'image', mimeType: 'image/heic' },
  'image/heif': { type: 'image', mimeType: 'image/heic' },
  'video/mp4': { type: 'video', mimeType: 'video/mp4' },
  'video/x-m4v': { type: 'video', mimeType: 'video/mp4' },
  'video/quicktime': { type: 'video', mimeType: 'video/quicktime' },
  'video/webm': { type: 'video', mimeType: 'video/webm' },
  'application/pdf': { type: 'document', mimeType: 'application/pdf' },
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

/** Detects the type by the first bytes, because a file name proves nothing. `kind` is null if the type is not accepted. */
export async function detectFileType(sample: Uint8Array): Promise<{ kind: FileType | null; found: string | null }> {
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  return { kind: (found && acceptedTypes[found.mime]) ?? null, found: found?.mime ?? null }
}

/** The file name with the extension of its new type. */
export function renameForType(name: string, mimeType: string): string {
  const extension = extensions[mimeType]
  return extension ? `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${extension}` : name
}
