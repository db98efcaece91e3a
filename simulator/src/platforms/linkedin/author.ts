import type { Session } from '../../platform.ts'
import type { Account } from '../../state/accounts.ts'
import { accountDigest, accountNumber } from '../../state/ids.ts'
import type { Realm } from '../../state/platform-context.ts'

const pagePrefix = 'company-'
const managerPrefix = 'manager-'

/** An account's id is its URN. In this false world a page signs in as itself: its token is the one of its administrator. */
export function urnOf(platform: string, handle: string): string {
  if (handle.startsWith(pagePrefix)) return `urn:li:organization:${accountNumber(platform, handle, 8)}`
  return `urn:li:person:${accountDigest(platform, handle).toString('base64url').slice(0, 10)}`
}

export function isPage({ handle }: Pick<Account, 'handle'>): boolean {
  return handle.startsWith(pagePrefix)
}

/** The pages somebody administers: a page itself, a manager two, anybody else none. */
export function pagesOf(realm: Realm, { handle }: Account): Account[] {
  return pageHandlesOf(handle).map((page) => realm.accounts.open(page, { id: () => urnOf(realm.name, page), atMs: realm.now() }))
}

function pageHandlesOf(handle: string): string[] {
  if (handle.startsWith(pagePrefix)) return [handle]
  if (!handle.startsWith(managerPrefix)) return []
  const name = pagePrefix + handle.slice(managerPrefix.length)
  return [name, `${name}-shop`]
}

/** Who this URN is to the token: the account that signed in, or a page it administers. Undefined for everybody else. */
export function findSpeaker(realm: Realm, { account }: Session, urn: string | null | undefined): Account | undefined {
  return account.id === urn ? account : pagesOf(realm, account).find(({ id }) => id === urn)
}

export function speaksFor(realm: Realm, session: Session, { id }: Account): boolean {
  return findSpeaker(realm, session, id) !== undefined
}
