import type { Role } from '@carillon/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { insertMember } from '../members/member.store.ts'
import { ensurePerson } from '../people/ensure-person.ts'
import { findMembership } from '../members/find-membership.ts'
import { confirmAddress } from '../people/confirm-address.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { findByToken, markAccepted, type InvitationRow } from './invitation.store.ts'
import { invitationStatus } from './present-invitation.ts'
import { tokenHash } from './invitation-token.ts'

export type InvitationDetails = { workspace: string; email: string; role: Role; invitedBy: string | null; expiresAt: string }

/** What the page behind the link shows before the invitation is accepted. */
export async function readInvitation(ctx: Context, token: string): Promise<InvitationDetails> {
  const { system } = ctx.db
  const row = await loadPending(ctx, system, token)
  const inviter = await findMembership(system, row.workspace_id, row.invited_by)
  const workspace = await workspaceName(system, row.workspace_id)
  return {
    workspace,
    email: row.email,
    role: row.role,
    invitedBy: inviter?.name ?? null,
    expiresAt: row.expires_at.toISOString(),
  }
}

export type AcceptedInvitation = { workspaceId: string; workspace: string; userId: string; role: Role }

/** The link was mailed to the invited address, so the person who has it joins as the owner of that address. */
export async function acceptInvitation(ctx: Context, token: string, traceId: string): Promise<AcceptedInvitation> {
  const nowMs = ctx.nowMs()
  const joined = await ctx.db.system.transaction().execute(async (tx) => {
    const row = await loadPending(ctx, tx, token)
    const workspaceId = row.workspace_id
    const person = await ensurePerson(tx, row.email, nowMs)
    await confirmAddress(tx, person.id)
    await insertMember(tx, { workspaceId, personId: person.id, role: row.role, joinedAt: new Date(nowMs) })
    await markAccepted(tx, { workspaceId, id: row.id }, new Date(nowMs))
    const by = { workspaceId, personId: person.id, apiKeyId: null }
    await recordChange(tx, { action: 'invitation.accept', subjectId: row.id, by, nowMs, traceId })
    return { workspaceId, workspace: await workspaceName(tx, workspaceId), userId: person.id, role: row.role }
  })
  clearKeyCache(ctx)
  return joined
}

async function loadPending(ctx: Context, db: Db | Tx, token: string): Promise<InvitationRow> {
  const row = await findByToken(db, tokenHash(token), db.isTransaction)
  if (!row) throw problem('invitation_not_found')
  if (invitationStatus(row, ctx.nowMs()) !== 'pending') throw problem('invitation_ended')
  return row
}
