import { PlatformError, type Account, type Client, type Connector } from '@carillon/connectors'
import type { StoredTarget } from '../../infra/db/tables.ts'

/** All that one yes covers: who signed in and, where there are any, the pages they manage. Null when there is nothing to choose. */
export async function findTargets({ auth }: Connector, { http }: Client, account: Account): Promise<StoredTarget[] | null> {
  if (auth.kind !== 'oauth2' || !auth.targets) return null
  const others = await auth.targets(http).catch((error: unknown) => {
    // Whoever signed in can still publish as themselves; reading pages often takes a permission of its own.
    if (error instanceof PlatformError) return []
    throw error
  })
  const pages = others.filter(({ id }) => id !== account.id)
  return pages.length === 0 ? null : [targetOf(account, 'account'), ...pages.map((page) => targetOf(page, 'page'))]
}

/** The columns of a connection that say on whose behalf it publishes. */
export function spokenFor({ id, handle, name, avatarUrl }: StoredTarget) {
  return { account_id: id, handle, display_name: name, avatar_url: avatarUrl }
}

export function targetOf({ id, handle, displayName, avatarUrl }: Account, kind: string): StoredTarget {
  return { id, handle, name: displayName, avatarUrl, kind }
}
