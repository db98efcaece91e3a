import type { MediaType } from '@carillon/contract'
import { fileTypeFromBuffer } from 'file-type'

export type FileType = { type: MediaType; mimeType: string }

/** As much of a file's beginning as is needed to tell what it is. */
export const sampleBytes = 16_384

/** Every type that is taken, under the one name it goes by here. */
const taken: Readonly<Record<string, FileType>> = {
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

/** What a file is by its first bytes. A name proves nothing. Null when it is not among what is taken. */
export async function sniff(sample: Uint8Array): Promise<{ kind: FileType | null; found: string | null }> {
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  return { kind: (found && taken[found.mime]) ?? null, found: found?.mime ?? null }
}

/** The name a file has after it became another type. */
export function renameForType(name: string, mimeType: string): string {
  const extension = extensions[mimeType]
  return extension ? `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${extension}` : name
}
