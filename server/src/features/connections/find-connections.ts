import { isPlatform, type Platform } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { isWorthAsking, rulesOf, type RulesOfAccount } from './capabilities/known-capabilities.ts'
import { learnCapabilities } from './capabilities/learn-capabilities.ts'
import { findBySlugs, type AccountRow } from './connection.store.ts'

/** A connection as other features see it. */
export type LinkedAccount = {
  id: string
  slug: string
  platform: Platform
  /** What holds for the posts of this account: the limits of its platform, or its own where they are known. */
  rules: RulesOfAccount
  /** The id of the account or page on the platform. */
  accountId: string
  targetName: string
  needsReconnect: boolean
  statusReason: string | null
  /** When the permission ends, if only the account's owner can renew it; null if Carillon renews it, or if it does not end. */
  permissionEndsAt: Date | null
}

/** The workspace's connections with these slugs, by slug. The map has no entry for an unknown slug. */
export async function findConnections(
  { ctx, tx, principal: { workspaceId }, nowMs, afterCommit }: RequestScope,
  slugs: readonly string[],
): Promise<Map<string, LinkedAccount>> {
  const rows = await findBySlugs(tx, workspaceId, slugs)
  for (const row of rows)
    if (isPlatform(row.platform) && isWorthAsking(ctx.connectors[row.platform], row, nowMs))
      afterCommit(() => learnCapabilities(ctx, { workspaceId, id: row.id }))
  return new Map(rows.flatMap((row) => linkedAccounts(ctx, row, nowMs).map((account) => [account.slug, account])))
}

function linkedAccounts({ connectors }: Context, row: AccountRow, nowMs: number): LinkedAccount[] {
  if (!isPlatform(row.platform)) return []
  const needsReconnect = row.status === 'needs_reconnect'
  return [
    {
      id: row.id,
      slug: row.slug,
      platform: row.platform,
      rules: rulesOf(connectors[row.platform], row, nowMs),
      accountId: row.account_id,
      targetName: row.display_name,
      needsReconnect,
      statusReason: row.status_reason,
      permissionEndsAt: row.token_renewable === false ? row.token_expires_at : null,
    },
  ]
}
