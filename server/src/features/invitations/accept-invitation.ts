import type { Role } from '@carillon/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import { insertMember } from '../members/member.store.ts'
import { confirmAddress, ensurePerson } from '../people/find-person.ts'
import { type Membership, findMembership, guardOwnedWorkspaces } from '../members/find-membership.ts'
import { findPersonByEmail, isVerified } from '../people/person.store.ts'
import { setFirstPassword } from '../people/set-first-password.ts'
import { canSignIn } from '../people/session.store.ts'
import { problem } from '../../infra/problem/problem.ts'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { canInvite, invitationStatus, tokenHash } from './present-invitation.ts'
import { findByToken, markAccepted, type InvitationRow } from './invitation.store.ts'

export type InvitationDetails = {
  workspace: string
  email: string
  role: Role
  invitedBy: string
  expiresAt: string
  needsPassword: boolean
}

/** What the page behind the link shows before the invitation is accepted. */
export async function readInvitation(ctx: Context, token: string): Promise<InvitationDetails> {
  const { system } = ctx.db
  const { row, inviter } = await loadPending(ctx, system, token)
  const workspace = await workspaceName(system, row.workspace_id)
  return {
    workspace,
    email: row.email,
    role: row.role,
    invitedBy: inviter.name,
    expiresAt: row.expires_at.toISOString(),
    needsPassword: await needsPassword(system, row.email),
  }
}

export type AcceptedInvitation = {
  workspaceId: string
  workspace: string
  userId: string
  role: Role
  email: string
  /** Whether the person has just received their way to sign in, or must use the one they have. */
  next: 'signed_in' | 'sign_in'
}

type Acceptance = { name?: string | undefined; password?: string | undefined; traceId: string }

/**
 * The link was mailed to the invited address, so the person who has it joins as the owner of that address. If they cannot sign in yet, they
 * get the password that they chose, as with a link that resets one.
 */
export async function acceptInvitation(
  ctx: Context,
  token: string,
  { name = '', password, traceId }: Acceptance,
): Promise<AcceptedInvitation> {
  const nowMs = ctx.nowMs()
  const joined = await ctx.db.system.transaction().execute(async (tx) => {
    const { row } = await loadPending(ctx, tx, token)
    const workspaceId = row.workspace_id
    const person = await ensurePerson(tx, row.email, nowMs)
    if (row.role === 'owner') await guardOwnedWorkspaces(ctx, { tx, system: tx, personId: person.id, isCaller: true })
    await confirmAddress(tx, person.id)
    const isFirst = password !== undefined && !(await canSignIn(tx, person.id))
    if (isFirst) await setFirstPassword(ctx, tx, { personId: person.id, name, password })
    await insertMember(tx, { workspaceId, personId: person.id, role: row.role, joinedAt: new Date(nowMs) })
    await markAccepted(tx, { workspaceId, id: row.id }, new Date(nowMs))
    const by = { workspaceId, personId: person.id, apiKeyId: null }
    await recordChange(tx, { action: 'invitation.accept', subjectId: row.id, by, nowMs, traceId })
    const next = isFirst ? ('signed_in' as const) : ('sign_in' as const)
    const workspace = await workspaceName(tx, workspaceId)
    return { workspaceId, workspace, userId: person.id, role: row.role, email: person.email, next }
  })
  clearKeyCache(ctx)
  return joined
}

/** A person who signed up without confirming the address loses that way to sign in when they accept, and needs a new one. */
async function needsPassword(system: Db, email: string): Promise<boolean> {
  const person = await findPersonByEmail(system, email)
  return !person || !(await isVerified(system, person.id)) || !(await canSignIn(system, person.id))
}

/** An invitation is worth what its inviter may do now, not what they could do when they made it. */
async function loadPending(ctx: Context, db: Db | Tx, token: string): Promise<{ row: InvitationRow; inviter: Membership }> {
  const row = await findByToken(db, tokenHash(token), db.isTransaction)
  if (!row) throw problem('invitation_not_found')
  if (invitationStatus(row, ctx.nowMs()) !== 'pending') throw problem('invitation_ended')
  const inviter = await findMembership(db, row.workspace_id, row.invited_by)
  if (!inviter || !canInvite(inviter.role, row.role)) throw problem('invitation_ended')
  return { row, inviter }
}
