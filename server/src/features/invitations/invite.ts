import type { BodyOf, Invitation, workspaces } from '@carillon/contract'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import { newId } from '../../infra/db/ids.ts'
import { findMembership, isMemberByEmail } from '../members/find-membership.ts'
import { guardRole } from '../members/guard-role.ts'
import { queueMail } from '../../infra/mail/queue-mail.ts'
import { sendQueuedMails } from './send-queued-mails.ts'
import { problem } from '../../infra/problem/problem.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { composeInvitationMail } from './compose-invitation-mail.ts'
import { deleteExpired, insertInvitation } from './invitation.store.ts'
import { presentInvitation } from './present-invitation.ts'
import { newToken, tokenHash } from './invitation-token.ts'

const invitationLastsMs = 7 * 86_400_000
const mailLastsMs = 86_400_000

/** Invites a person by e-mail. The mail is queued in the same transaction and sent after the commit; the invitation shows its state. */
export async function invite(
  scope: RequestScope,
  { email, role }: BodyOf<typeof workspaces.invite>,
): Promise<Answer<Invitation>> {
  const { ctx, tx, principal, nowMs, afterCommit } = scope
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
    expires_at: new Date(nowMs + invitationLastsMs),
    accepted_at: null,
    created_at: new Date(nowMs),
  }
  if (!(await insertInvitation(tx, row))) throw problem('invitation_pending')
  const inviter = await findMembership(tx, workspaceId, personId)
  const workspace = await workspaceName(tx, workspaceId)
  const mail = composeInvitationMail(ctx, { email, role, token, workspace, inviter: inviter?.name ?? 'A member' })
  await queueMail(ctx, tx, { mail, lastsMs: mailLastsMs, invitation: { workspaceId, id: row.id } })
  afterCommit(() => sendQueuedMails(ctx))
  return new Answer(presentInvitation(row, nowMs), { subjectId: row.id })
}
