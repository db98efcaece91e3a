import type { ConnectLink } from '@carillon/contract'
import { roleAllows, scopesAllow } from '@carillon/core'
import type { Context } from '../../../context.ts'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { findKeyRights } from '../../api-keys/api-key.store.ts'
import { type Membership, findMembership } from '../../members/find-membership.ts'
import { type ConnectLinkRow, findConnectLink } from './connect-link.store.ts'

/** What the row itself says. Whether its maker may still do it is asked when the link is used. */
export function linkState(
  { used_at, revoked_at, expires_at }: Pick<ConnectLinkRow, 'used_at' | 'revoked_at' | 'expires_at'>,
  nowMs: number,
): ConnectLink['state'] {
  if (used_at !== null) return 'used'
  if (revoked_at !== null) return 'revoked'
  return expires_at.getTime() <= nowMs ? 'expired' : 'open'
}

/** A link is worth what its maker, and the key that made it, may do now. Returns the maker. */
export async function guardLink(ctx: Context, db: Db | Tx, link: ConnectLinkRow): Promise<Membership> {
  if (linkState(link, ctx.nowMs()) !== 'open') throw problem('connect_link_ended')
  const maker = await findMembership(db, link.workspace_id, link.person_id)
  if (!maker || !roleAllows(maker.role, 'admin')) throw problem('connect_link_ended')
  if (link.api_key_id !== null && !(await isKeyAllowed(ctx, link.api_key_id))) throw problem('connect_link_ended')
  return maker
}

async function isKeyAllowed(ctx: Context, id: string): Promise<boolean> {
  const key = await findKeyRights(ctx.db.system, id)
  if (!key || (key.expires_at !== null && key.expires_at.getTime() <= ctx.nowMs())) return false
  return scopesAllow(key.scopes, 'connections:invite')
}

/** For a browser that comes back from a platform: the link may have been used or revoked since it went there. */
export async function guardLinkOf(ctx: Context, workspaceId: string, id: string): Promise<void> {
  const link = await findConnectLink(ctx.db.system, { workspaceId, id })
  if (!link) throw problem('connect_link_ended')
  await guardLink(ctx, ctx.db.system, link)
}
