import type { Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountDigest, accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

const pagePrefix = 'company-'
const managerPrefix = 'manager-'
const editorPrefix = 'editor-'
const agencyPrefix = 'agency-'
const agencyPages = 120

/** The id of an account is its URN. In the simulator a page is an account: its token is the token of its administrator. */
export function urnOf(platform: string, handle: string): string {
  if (handle.startsWith(pagePrefix)) return `urn:li:organization:${accountNumber(platform, handle, 8)}`
  return `urn:li:person:${accountDigest(platform, handle).toString('base64url').slice(0, 10)}`
}

export function isPage({ handle }: Pick<Account, 'handle'>): boolean {
  return handle.startsWith(pagePrefix)
}

/**
 * The pages an account may post to: a page posts to itself, a manager administers two pages, an agency 120, an editor is the content
 * administrator of one; any other account has none.
 */
export function pagesOf(context: PlatformContext, { handle }: Account): Account[] {
  return pageHandlesOf(handle).map((page) =>
    context.accounts.open(page, { id: () => urnOf(context.name, page), atMs: context.now() }),
  )
}

function pageHandlesOf(handle: string): string[] {
  if (handle.startsWith(pagePrefix)) return [handle]
  if (handle.startsWith(editorPrefix)) return [pagePrefix + handle.slice(editorPrefix.length)]
  if (handle.startsWith(agencyPrefix)) {
    const client = pagePrefix + handle.slice(agencyPrefix.length)
    return Array.from({ length: agencyPages }, (_, at) => `${client}-${at + 1}`)
  }
  if (!handle.startsWith(managerPrefix)) return []
  const name = pagePrefix + handle.slice(managerPrefix.length)
  return [name, `${name}-shop`]
}

/** The account with this URN, if the token may act for it: the account that signed in, or a page it administers. */
export function findActingAccount(
  context: PlatformContext,
  { account }: Session,
  urn: string | null | undefined,
): Account | undefined {
  return account.id === urn ? account : pagesOf(context, account).find(({ id }) => id === urn)
}

export function canActFor(context: PlatformContext, session: Session, { id }: Account): boolean {
  return findActingAccount(context, session, id) !== undefined
}

export function roleOf({ handle }: Pick<Account, 'handle'>): string {
  return handle.startsWith(editorPrefix) ? 'CONTENT_ADMINISTRATOR' : 'ADMINISTRATOR'
}
