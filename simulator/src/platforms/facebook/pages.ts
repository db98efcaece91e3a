import type { Call } from '../../http/call.ts'
import type { Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import type { Token } from '../../state/tokens.ts'
import { issueToken } from '../meta/long-token.routes.ts'
import { notThePage } from './errors.ts'

const managerPrefix = 'manager-'
const agencyPrefix = 'agency-'
const nobodyPrefix = 'nobody-'
const agencyPages = 120

/** Tokens of all kinds begin with EAA; here the next letters tell them apart. */
export const tokenPrefixes = { short: 'EAAS', long: 'EAAL', page: 'EAAP' } as const

export function pageIdOf(platform: string, handle: string): string {
  return accountNumber(platform, handle, 15)
}

/** The id that a person has in this app, which notices name. */
export function personIdOf(platform: string, { handle }: Account): string {
  return accountNumber(platform, `person ${handle}`, 17)
}

/**
 * The pages that a person manages. In the simulator an account is a page, and the person with the same name manages it; a manager has two
 * pages, an agency 120, and nobody has none.
 */
export function pagesOf(context: PlatformContext, { handle }: Account): Account[] {
  return pageHandlesOf(handle).map((page) =>
    context.accounts.open(page, { id: () => pageIdOf(context.name, page), atMs: context.now() }),
  )
}

function pageHandlesOf(handle: string): string[] {
  if (handle.startsWith(nobodyPrefix)) return []
  if (handle.startsWith(agencyPrefix)) {
    const client = handle.slice(agencyPrefix.length)
    return Array.from({ length: agencyPages }, (_, at) => `${client}-${at + 1}`)
  }
  if (!handle.startsWith(managerPrefix)) return [handle]
  const name = handle.slice(managerPrefix.length)
  return [name, `${name}-shop`]
}

/** The token of a page. It has no end if it was asked for with a long-lived token; otherwise it ends with the token of the person. */
export function issuePageToken(context: PlatformContext, page: Account, owner: Token): Token {
  const isLasting = owner.value.startsWith(tokenPrefixes.long)
  const lifetimeMs = isLasting ? Infinity : owner.expiresAtMs - context.now()
  return issueToken(context, tokenPrefixes.page, { account: page, scopes: owner.scopes, lifetimeMs })
}

export function isPageToken({ value }: Token): boolean {
  return value.startsWith(tokenPrefixes.page)
}

/** Everything about a page is done with its own token. */
export function requirePage({ params }: Call, { account, token }: Session): void {
  if (!isPageToken(token) || (params['page'] !== account.id && params['page'] !== 'me')) throw notThePage()
}
