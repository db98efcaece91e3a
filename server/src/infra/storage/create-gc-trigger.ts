import { close, createReadStream, open, read, type ReadStream } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 16 * 1024 * 1024
const chunkBytes = 64 * 1024

type Collect = (options: { type: 'minor' }) => void

// The engine counts what streams leave behind outside of its heap only roughly, and lets 64 MB of it pile up. A young collection takes
// about a millisecond and gives it back. Without the switch there is simply nothing to call.
setFlagsFromString('--expose-gc')
const collect: Collect | undefined = runInNewContext('typeof gc === "function" ? gc : undefined')

/** Called with the bytes that went through; keeps memory flat however long the stream is. */
export function createGcTrigger(): (bytes: number) => void {
  let passed = 0
  return (bytes) => {
    passed += bytes
    if (passed < everyBytes) return
    passed = 0
    collect?.({ type: 'minor' })
  }
}

/** Reads a file of any length with flat memory. */
export function openReadStream(path: string, range?: { start: number; end: number }): ReadStream {
  const tidy = createGcTrigger()
  const tidyRead: typeof read = ((...args: Parameters<typeof read>) => {
    tidy(chunkBytes)
    return read(...args)
  }) as typeof read
  return createReadStream(path, { ...range, highWaterMark: chunkBytes, fs: { open, close, read: tidyRead } })
}
