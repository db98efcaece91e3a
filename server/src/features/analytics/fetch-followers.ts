import { type Client, type Connector, PlatformError } from '@carillon/connectors'
import { withTimeout } from './fetch-figures.ts'
import { dayOf } from './resolve-range.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
/** The day begins for all connections at once; they are asked at different times in these hours of it. */
const spreadMs = 20 * hourMs
/** A platform that did not answer is asked again on the same day. */
const retryMs = 6 * hourMs

/** `count` is null if the platform told no number. Without `count` the platform has not answered: `error` says why. */
export type FetchedFollowers = { count: number | null; error?: never } | { count?: never; error: PlatformError }

/**
 * Asks the platform how many followers the account has. A refusal is an answer without a number, as long as it does not hold for all requests
 * of the account: an account that is refused this one keeps its figures.
 */
export async function fetchFollowers(
  { account }: Connector,
  client: Client,
  { isRenewed }: { isRenewed: boolean },
): Promise<FetchedFollowers> {
  try {
    const { followers = null } = await withTimeout(account(client))
    return { count: followers }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const isRefused = error.kind === 'rejected' || error.kind === 'gone' || (error.kind === 'auth' && isRenewed)
    return isRefused ? { count: null } : { error }
  }
}

/** When the platform is asked next: tomorrow (UTC) if it has answered today. */
export function nextFollowersAtMs(connectionId: string, { nowMs, isAsked }: { nowMs: number; isAsked: boolean }): number {
  if (!isAsked) return nowMs + retryMs
  // The end of an id is a counter.
  const share = (Number.parseInt(connectionId.slice(-6), 16) * 0.618_033_988_75) % 1
  return Date.parse(dayOf(nowMs)) + dayMs + Math.floor((Number.isNaN(share) ? 0 : share) * spreadMs)
}
