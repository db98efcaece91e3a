import type { Handle } from './connector.ts'

/** Our clock and the platform's clock may differ by this much. */
const clockToleranceMs = 60_000

/** Was something created after the handle was chosen? Anything older is another post. */
export function isSince(createdAtMs: number, handle: Handle, toleranceMs = clockToleranceMs): boolean {
  return createdAtMs >= handle.atMs - toleranceMs
}
