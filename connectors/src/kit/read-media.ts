import type { Media } from './connector.ts'
import { PlatformError } from './platform-error.ts'

/** Enough for a part of a file on a slow connection. */
export const uploadMsMin = 120_000

/** A home server may have no more than 1 Mbit/s to send with. */
const slowestBytesPerMs = 125
/** For the platform to check a file after its last byte. */
const answerMsMax = 30_000

/** How long an upload of this size may take. No run of the engine waits for it, so the largest file may take a quarter of an hour. */
export function uploadTimeoutMs(sizeBytes: number): number {
  return Math.max(uploadMsMin, Math.ceil(sizeBytes / slowestBytesPerMs) + answerMsMax)
}

/** Reads a whole file. If our own storage fails, the post is not at fault and may be tried again. */
export async function readMedia(media: Media): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await openOrFail(media, () => media.read()))
}

/** Opens a file as a stream, for files too large for memory. */
export function streamMedia(media: Media, fromByte = 0): Promise<ReadableStream<Uint8Array>> {
  return openOrFail(media, () => media.stream(fromByte))
}

/** The file's public URL, for platforms that fetch it themselves. */
export function getMediaUrl(media: Media): Promise<string> {
  return openOrFail(media, () => media.url())
}

async function openOrFail<T>(media: Media, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    throw new PlatformError({
      kind: 'unavailable',
      platformCode: null,
      reason: 'file_unreadable',
      message: `The file ${media.name} could not be read.`,
      cause,
    })
  }
}
