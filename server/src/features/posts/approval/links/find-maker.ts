import { roleAllows } from '@carillon/core'
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../infra/db/db.ts'
import { type Principal, ruleOf } from '../../../../infra/http/principal.ts'
import { findKeyLimits } from '../../../api-keys/api-key.store.ts'
import { findMembership } from '../../../members/find-membership.ts'
import { findGrantLimits } from '../../../oauth/find-grant-holder.ts'
import { findWorkspace, type WorkspaceRow } from '../../../workspaces/workspace.store.ts'

type Made = { workspaceId: string; personId: string; apiKeyId: string | null }

/**
 * Who made a link, with what they may do now: a link is worth no more than that. Null if they could make none any more: they are no member or no
 * editor, or their key was deleted or has expired.
 */
export async function findMaker(
  { ctx, tx, nowMs }: { ctx: Context; tx: Tx; nowMs: number },
  { workspaceId, personId, apiKeyId }: Made,
): Promise<{ principal: Principal; name: string } | null> {
  const [member, workspace] = [await findMembership(tx, workspaceId, personId), await findWorkspace(tx, workspaceId)]
  if (!member || !workspace || !roleAllows(member.role, 'editor')) return null
  const key =
    apiKeyId === null
      ? sessionLimits
      : ((await findKeyLimits(ctx.db.system, { workspaceId, personId, id: apiKeyId })) ??
        (await findGrantLimits(tx, { workspaceId, personId, grantId: apiKeyId })))
  if (!key || (key.expiresAt !== null && key.expiresAt.getTime() <= nowMs)) return null
  const { role, name } = member
  const { plan } = workspace
  const approval = ruleOf(workspace)
  const keyWorkspaceId = apiKeyId === null ? null : workspaceId
  return { principal: { personId, apiKeyId, keyWorkspaceId, limits: key, workspaceId, role, plan, approval }, name }
}

/** A member who is signed in. */
export type Visitor = { principal: Principal; name: string }

/** The person who opens a link, if they are a member of its workspace. */
export async function findVisitor(
  tx: Tx,
  { workspace, personId }: { workspace: WorkspaceRow; personId: string | null },
): Promise<Visitor | null> {
  const member = personId === null ? undefined : await findMembership(tx, workspace.id, personId)
  if (personId === null || !member) return null
  const { id: workspaceId, plan } = workspace
  const { role, name } = member
  const of = { personId, apiKeyId: null, keyWorkspaceId: null, limits: sessionLimits, workspaceId }
  return { principal: { ...of, role, plan, approval: ruleOf(workspace) }, name }
}

const sessionLimits = { scopes: null, workspaceOnly: false, expiresAt: null, posting: null, isAgent: false }
