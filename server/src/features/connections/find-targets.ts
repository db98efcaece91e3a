import { PlatformError, type Account, type Client, type Connector } from '@carillon/connectors'
import type { StoredTarget } from '../../infra/db/tables.ts'

/** The account that signed in and the pages that it manages. Null if there are no pages, so that there is nothing to choose. */
export async function findTargets({ auth }: Connector, { http }: Client, account: Account): Promise<StoredTarget[] | null> {
  if (auth.kind !== 'oauth2' || !auth.targets) return null
  const others = await auth.targets(http).catch((error: unknown) => {
    // Reading pages often needs a separate permission. Without it, the user can still publish to their own account.
    if (error instanceof PlatformError) return []
    throw error
  })
  const pages = others.filter(({ id }) => id !== account.id)
  return pages.length === 0 ? null : [targetOf(account, 'account'), ...pages.map((page) => targetOf(page, 'page'))]
}

/** The columns of a connection that say to which account or page it publishes. */
export function targetColumns({ id, handle, name, avatarUrl }: StoredTarget) {
  return { account_id: id, handle, display_name: name, avatar_url: avatarUrl }
}

export function targetOf({ id, handle, displayName, avatarUrl }: Account, kind: string): StoredTarget {
  return { id, handle, name: displayName, avatarUrl, kind }
}
