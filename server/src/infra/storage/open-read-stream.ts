import { close, createReadStream, open, read, type ReadStream } from 'node:fs'
import { createGcTrigger } from './create-gc-trigger.ts'

const chunkBytes = 64 * 1024

/** Reads a file of any length with constant memory. */
export function openReadStream(path: string, range?: { start: number; end: number }): ReadStream {
  const countBytes = createGcTrigger()
  const readAndCount: typeof read = ((...args: Parameters<typeof read>) => {
    countBytes(chunkBytes)
    return read(...args)
  }) as typeof read
  return createReadStream(path, { ...range, highWaterMark: chunkBytes, fs: { open, close, read: readAndCount } })
}
