import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 16 * 1024 * 1024

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
