import type { Context } from '../../../context.ts'
import { connectorOf } from '../connector-of.ts'
import type { ConnectionKey } from '../jobs.ts'
import { findCapabilities } from './capability.store.ts'
import { rulesOf, type RulesOfAccount } from './known-capabilities.ts'

/** The rules by which the files of an account's posts are made to fit. */
export async function findRules(
  ctx: Context,
  { platform, ...key }: ConnectionKey & { platform: string },
): Promise<RulesOfAccount> {
  const connector = connectorOf(ctx, platform)
  if (!connector.capabilities) return connector.manifest
  const stored = await findCapabilities(ctx.db.system, key)
  return stored ? rulesOf(connector, stored, ctx.nowMs()) : connector.manifest
}
