/** A smaller number is a wait in seconds; a larger one is a time in seconds since 1970 (this one is in 2001). */
const epochSecondsMin = 1_000_000_000

const names = ['retry-after', 'x-rate-limit-reset', 'x-ratelimit-reset', 'ratelimit-reset']

/** How long the platform asks us to wait, in any of the usual headers and formats; undefined when it does not say. */
export function readRetryAfterMs(headers: Record<string, string>, nowMs: number): number | undefined {
  for (const name of names) {
    const value = headers[name]?.trim()
    const waitMs = value ? parseWaitMs(value, nowMs) : undefined
    if (waitMs !== undefined) return waitMs
  }
  return undefined
}

function parseWaitMs(value: string, nowMs: number): number | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) {
    const seconds = Number(value)
    return seconds < epochSecondsMin ? Math.ceil(seconds * 1000) : Math.max(0, Math.ceil(seconds * 1000 - nowMs))
  }
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
