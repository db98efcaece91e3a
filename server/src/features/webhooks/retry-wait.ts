import type { Webhook } from '@carillon/contract'

type Retries = NonNullable<Webhook['retries']>

const firstWaitMs = 10_000
const longestWaitMs = 4.5 * 3_600_000
const spread = 0.1

/** `day` waits 23.7 hours in all. */
const retriesMax: Readonly<Record<Retries, number>> = { short: 5, day: 15 }

/**
 * How long to wait after the nth failed try: 10, 20, 40, 80, 160 s and, if the webhook wants it, on like this up to 4.5 hours. Each wait is up
 * to a tenth shorter or longer, so that an endpoint that was down does not get all retries at once. Null if no try is left. `random` is
 * between 0 and 1.
 */
export function retryWaitMs(tries: number, random: number, retries: Retries): number | null {
  if (tries > retriesMax[retries]) return null
  return Math.round(Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (1 - spread + 2 * spread * random))
}
