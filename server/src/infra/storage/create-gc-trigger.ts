import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const everyBytes = 16 * 1024 * 1024

type Collect = (options: { type: 'minor' }) => void

// V8 estimates the memory of stream buffers outside of its heap only roughly and lets up to 64 MB of garbage accumulate. A minor
// collection takes about a millisecond and frees it. If the flag has no effect, there is no `gc` and nothing is called.
setFlagsFromString('--expose-gc')
const collect: Collect | undefined = runInNewContext('typeof gc === "function" ? gc : undefined')

/** Call the result with the size of each chunk of a stream: it runs a minor collection every 16 MB, so that memory stays constant. */
export function createGcTrigger(): (bytes: number) => void {
  let passed = 0
  return (bytes) => {
    passed += bytes
    if (passed < everyBytes) return
    passed = 0
    collect?.({ type: 'minor' })
  }
}
