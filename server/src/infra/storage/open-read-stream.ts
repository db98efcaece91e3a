import { close, createReadStream, open, read, type ReadStream } from 'node:fs'
import { createStreamGc } from './create-stream-gc.ts'

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
