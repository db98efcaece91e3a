import { close, createReadStream, open, read, type ReadStream } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 16 * 1024 * 1024
const chunkBytes = 64 * 1024

type Collect = (options: { type: 'minor' }) => void

// V8 only estimates the memory that streams use outside of its heap, and lets about 64 MB of it accumulate. A minor garbage collection takes
// about a millisecond and frees it. If the flag has no effect, there is no function to call and nothing happens.
setFlagsFromString('--expose-gc')
const collect: Collect | undefined = runInNewContext('typeof gc === "function" ? gc : undefined')

/** Returns a function that is called with the number of bytes read; it runs a minor garbage collection every 16 MB. */
export function createStreamGc(): (bytes: number) => void {
  let passed = 0
  return (bytes) => {
    passed += bytes
    if (passed < everyBytes) return
    passed = 0
    collect?.({ type: 'minor' })
  }
}

/** Reads a file of any length with constant memory. */
export function readFlat(path: string, range?: { start: number; end: number }): ReadStream {
  const collectAfter = createStreamGc()
  const countedRead: typeof read = ((...args: Parameters<typeof read>) => {
    collectAfter(chunkBytes)
    return read(...args)
  }) as typeof read
  return createReadStream(path, { ...range, highWaterMark: chunkBytes, fs: { open, close, read: countedRead } })
}
