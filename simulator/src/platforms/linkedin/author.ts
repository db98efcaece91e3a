import type { Account } from '../../world/accounts.ts'
import { accountDigest, accountNumber } from '../../world/ids.ts'

const pagePrefix = 'company-'

/** An account's id is its URN. In this false world a page signs in as itself: its token is the one of its administrator. */
export function urnOf(platform: string, handle: string): string {
  if (handle.startsWith(pagePrefix)) return `urn:li:organization:${accountNumber(platform, handle, 8)}`
  return `urn:li:person:${accountDigest(platform, handle).toString('base64url').slice(0, 10)}`
}

export function isPage({ handle }: Pick<Account, 'handle'>): boolean {
  return handle.startsWith(pagePrefix)
}
