import { isPlatform, type Platform } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { findBySlugs, type AccountRow } from './connection.store.ts'

/** A connection as other features see it. */
export type LinkedAccount = {
  id: string
  slug: string
  platform: Platform
  targetName: string
  needsReconnect: boolean
  statusReason: string | null
}

/** The workspace's connections with these slugs, by slug. The map has no entry for an unknown slug. */
export async function findConnections(
  { tx, principal }: RequestScope,
  slugs: readonly string[],
): Promise<Map<string, LinkedAccount>> {
  const rows = await findBySlugs(tx, principal.workspaceId, slugs)
  return new Map(rows.flatMap((row) => linkedAccounts(row).map((account) => [account.slug, account])))
}

function linkedAccounts(row: AccountRow): LinkedAccount[] {
  if (!isPlatform(row.platform)) return []
  const needsReconnect = row.status === 'needs_reconnect'
  return [
    {
      id: row.id,
      slug: row.slug,
      platform: row.platform,
      targetName: row.display_name,
      needsReconnect,
      statusReason: row.status_reason,
    },
  ]
}
