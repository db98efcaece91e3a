import type { BodyOf, Invitation, workspaces } from '@carillon/contract'
import { Answer, type Asked } from '../http/call.ts'
import { newId } from '../ids.ts'
import { findMembership, isMemberByEmail } from '../members/find-membership.ts'
import { guardRole } from '../members/guard-role.ts'
import { problem } from '../problem.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { deleteExpired, insertInvitation } from './invitation.store.ts'
import { presentInvitation } from './present.ts'
import { sendInvitation } from './send-invitation.ts'
import { newToken, tokenHash } from './token.ts'

const lastsMs = 7 * 86_400_000

/** Invites a person by e-mail. The mail leaves after the commit; whether it did is told by the invitation, not by this request. */
export async function invite(asked: Asked, { email, role }: BodyOf<typeof workspaces.invite>): Promise<Answer<Invitation>> {
  const { ctx, tx, principal, nowMs, afterCommit } = asked
  const { workspaceId, personId } = principal
  guardRole(principal.role, role)
  if (await isMemberByEmail(tx, workspaceId, email)) throw problem('already_member')
  await deleteExpired(tx, workspaceId, email, new Date(nowMs))
  const token = newToken()
  const row = {
    workspace_id: workspaceId,
    id: newId(nowMs),
    email,
    role,
    token_hash: tokenHash(token),
    invited_by: personId,
    mail: 'waiting' as const,
    expires_at: new Date(nowMs + lastsMs),
    accepted_at: null,
    created_at: new Date(nowMs),
  }
  if (!(await insertInvitation(tx, row))) throw problem('invitation_pending')
  const inviter = await findMembership(tx, workspaceId, personId)
  const letter = { email, role, token, workspace: await workspaceName(tx, workspaceId), inviter: inviter?.name ?? 'Somebody' }
  afterCommit(() => void sendInvitation(ctx, { workspaceId, id: row.id }, letter))
  return new Answer(presentInvitation(row, nowMs), { subjectId: row.id })
}
