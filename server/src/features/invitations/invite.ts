import type { BodyOf, Invitation, workspaces } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { newId } from '../../infra/db/ids.ts'
import { findMembership, isMemberByEmail } from '../members/find-membership.ts'
import { queueMail } from '../../infra/mail/queue-mail.ts'
import { sendQueuedMails } from './send-queued-mails.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { problem } from '../../infra/problem/problem.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { composeInvitationMail } from './compose-invitation-mail.ts'
import { guardRole } from '../members/guard-role.ts'
import { countOpenInvitations, deleteExpired, insertInvitation } from './invitation.store.ts'
import { reserveMail } from './reserve-mail.ts'
import { presentInvitation } from './present-invitation.ts'
import { shownLink } from './invitation-link.ts'
import { newToken, tokenHash } from './invitation-token.ts'

const invitationLastsMs = 7 * 86_400_000
const mailLastsMs = 86_400_000

type Body = BodyOf<typeof workspaces.invite>
type Call = { ctx: Context; principal: { workspaceId: string; personId: string }; body: Body }

/**
 * Invites a person by e-mail. The allowance for mails is shared by all workspaces of a person, so it is taken before the transaction of the
 * workspace, and given back if nothing is sent.
 */
export async function invite({ ctx, principal, body }: Call): Promise<Prepared<Invitation>> {
  const reservation = await reserveMail(ctx, { ...principal, email: body.email })
  return { fingerprint: null, store: (scope) => storeInvitation(scope, body), discard: () => reservation.giveBack() }
}

/** The mail is queued in the same transaction and sent after the commit; the invitation shows its state. */
async function storeInvitation(scope: RequestScope, { email, role }: Body): Promise<Answer<Invitation>> {
  const { ctx, tx, principal, nowMs, afterCommit } = scope
  const { workspaceId, personId } = principal
  guardRole(principal.role, role)
  if (await isMemberByEmail(tx, workspaceId, email)) throw problem('already_member')
  await deleteExpired(tx, workspaceId, email, new Date(nowMs))
  await guardQuota(scope)
  const id = newId(nowMs)
  const token = newToken(ctx.config.secretKeys, { workspaceId, id })
  const row = {
    workspace_id: workspaceId,
    id,
    email,
    role,
    token_hash: tokenHash(token),
    invited_by: personId,
    // Without a mail server, nothing is on its way; the queue only writes the link into the log.
    mail: ctx.config.mail === null ? ('not_configured' as const) : ('waiting' as const),
    expires_at: new Date(nowMs + invitationLastsMs),
    accepted_at: null,
    created_at: new Date(nowMs),
  }
  if (!(await insertInvitation(tx, row))) throw problem('invitation_pending')
  const inviter = await findMembership(tx, workspaceId, personId)
  const workspace = await workspaceName(tx, workspaceId)
  const mail = composeInvitationMail(ctx, { email, role, token, workspace, inviter: inviter?.name ?? 'A member' })
  await queueMail(ctx, tx, { mail, lastsMs: mailLastsMs, invitation: { workspaceId, id } })
  afterCommit(() => sendQueuedMails(ctx))
  // A repeated request gets its answer from a table, which must not contain working links.
  const withoutSecret = presentInvitation(row, nowMs, null)
  return new Answer({ ...withoutSecret, link: shownLink(scope, row) }, { subjectId: id, withoutSecret })
}

async function guardQuota({ ctx, tx, principal: { workspaceId }, nowMs }: RequestScope): Promise<void> {
  const max = ctx.config.quotas.invitations
  if (max === Infinity) return
  await lockQuota(tx, `invitations ${workspaceId}`)
  if ((await countOpenInvitations(tx, workspaceId, new Date(nowMs))) >= max)
    throw problem('quota_reached', {
      message: `This workspace has ${max} open invitations, the most that this installation allows. Delete some that are not needed.`,
    })
}
