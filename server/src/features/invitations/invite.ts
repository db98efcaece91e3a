import type { BodyOf, Invitation, Role, workspaces } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { newId } from '../../infra/db/ids.ts'
import { Answer, type RequestScope } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { composeMail, queueMail } from '../../infra/mail/queue-mail.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { findMembership, guardRole, isMemberByEmail } from '../members/find-membership.ts'
import { workspaceName } from '../workspaces/workspace-name.ts'
import { countOpenInvitations, deleteExpired, insertInvitation } from './invitation.store.ts'
import { invitationLink, newToken, presentInvitation, shownLink, tokenHash } from './present-invitation.ts'
import { reserveMail } from './reserve-mail.ts'
import { sendQueuedMails } from './send-queued-mails.ts'

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

type InvitationMail = { email: string; role: Role; token: string; workspace: string; inviter: string }

function composeInvitationMail({ config }: Context, { email, role, token, ...names }: InvitationMail): Mail {
  const workspace = cleanName(names.workspace, 'a workspace')
  const inviter = cleanName(names.inviter, 'A member')
  return composeMail({
    operator: config.operator,
    to: email,
    subject: `${inviter} invites you to ${workspace}`,
    paragraphs: [
      `${inviter} invites you to join the workspace “${workspace}” on ${config.operator.name} as ${role}.`,
      'The link works for seven days. If you did not expect this invitation, you can ignore this mail.',
    ],
    link: { label: 'Accept the invitation', url: invitationLink(config, token) },
  })
}

const lengthMax = 40
/** Enough for that many letters with their marks. Bringing a long run of marks into their order takes quadratic time. */
const readMax = 400

/**
 * A name as it may stand in a mail. The names of people and workspaces are chosen by users, and a mail to a stranger must not carry a text
 * or a link of theirs: what is not a letter, a digit or a sign that names have becomes a space.
 */
export function cleanName(name: string, fallback: string): string {
  const words = name
    .slice(0, readMax)
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}'’&-]+/gu, ' ')
    .trim()
  const letters = Array.from(words)
  const short = letters.length > lengthMax ? `${letters.slice(0, lengthMax).join('').trim()}…` : words
  return short || fallback
}
