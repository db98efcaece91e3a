const firstWaitMs = 10_000
const retriesMax = 5
const spread = 0.1

/**
 * How long to wait after the nth failed try: 10, 20, 40, 80, 160 s. Each wait is up to a tenth shorter or longer, so that an endpoint that
 * was down does not get all retries at once. Null if no try is left. `random` is between 0 and 1.
 */
export function retryWaitMs(tries: number, random: number): number | null {
  if (tries > retriesMax) return null
  return Math.round(firstWaitMs * 2 ** (tries - 1) * (1 - spread + 2 * spread * random))
}
