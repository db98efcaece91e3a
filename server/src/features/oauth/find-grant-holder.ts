import type { Context } from '../../context.ts'
import type { Tx } from '../../infra/db/db.ts'
import type { Caller } from '../../infra/http/http-hooks.ts'
import type { KeyLimits } from '../../infra/http/principal.ts'
import { isWellFormedKey } from '../api-keys/api-key.ts'
import { findGrantScopes, findHolderRow, type GrantRef, touchGrant } from './grant.store.ts'
import { resourceUrl } from './rights.ts'
import { secretHash } from './secret-hash.ts'

/** Whether this is a token that a program got from us, and not an API key. */
export function isAccessToken(secret: string): boolean {
  return secret.startsWith('ca_')
}

/**
 * The person for whom a program acts. It is read for every request and never cached, so that a grant that was ended, or a membership, holds
 * for no further request. The id of the grant takes the place of the id of a key.
 */
export async function findGrantHolder(
  ctx: Context,
  token: string,
  { workspaceId, path }: { workspaceId: string | null; path: string },
): Promise<Caller | undefined> {
  if (!isWellFormedKey(token)) return undefined
  const nowMs = ctx.nowMs()
  const row = await findHolderRow(ctx.db.system, secretHash(token), { workspaceId, now: new Date(nowMs) })
  if (!row || !isForPath(ctx, row.resource, path)) return undefined
  const { grantId, personId, grantWorkspaceId, scopes, expiresAt, membership } = row
  noteUse(ctx, { workspaceId: grantWorkspaceId, grantId }, nowMs)
  return {
    personId,
    apiKeyId: grantId,
    keyWorkspaceId: grantWorkspaceId,
    workspaceOnly: true,
    scopes,
    expiresAt,
    posting: null,
    isAgent: true,
    membership,
  }
}

/** What narrows a program, for what it left behind. Undefined: its access has ended. */
export async function findGrantLimits(tx: Tx, grant: GrantRef & { personId: string }): Promise<KeyLimits | undefined> {
  const scopes = await findGrantScopes(tx, grant)
  return scopes && { scopes, workspaceOnly: true, expiresAt: null, posting: null, isAgent: true }
}

/** The MCP server calls the API with the token of its caller, so only the other direction is refused. */
function isForPath({ config: { publicUrl } }: Context, resource: string, path: string): boolean {
  const isMcp = /^\/mcp(?:[/?]|$)/.test(path)
  return !isMcp || resource === resourceUrl(publicUrl, 'mcp')
}

/** How exactly the last use is known. */
const useMs = 60_000
const usesMax = 20_000

function createGrantUses() {
  return { value: new Map<string, number>() }
}

function noteUse(ctx: Context, grant: { workspaceId: string; grantId: string }, nowMs: number): void {
  const uses = ctx.resources.get(createGrantUses, ctx)
  if (nowMs - (uses.get(grant.grantId) ?? 0) < useMs) return
  if (uses.size >= usesMax) uses.clear()
  uses.set(grant.grantId, nowMs)
  touchGrant(ctx.db.system, grant, { at: new Date(nowMs), notSince: new Date(nowMs - useMs) }).catch((error: unknown) =>
    ctx.log.warn({ err: error }, 'the time at which a program was used could not be stored'),
  )
}
