import type { Role } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { composeMail } from '../../infra/mail/compose-mail.ts'
import type { Mail } from '../../infra/mail/mailer.ts'

type InvitationMail = { email: string; role: Role; token: string; workspace: string; inviter: string }

export function composeInvitationMail({ config }: Context, { email, role, token, workspace, inviter }: InvitationMail): Mail {
  return composeMail({
    to: email,
    subject: `${inviter} invites you to ${workspace}`,
    paragraphs: [
      `${inviter} invites you to join the workspace “${workspace}” on Carillon as ${role}.`,
      'The link works for seven days. If you did not expect this invitation, you can ignore this mail.',
    ],
    link: { label: 'Accept the invitation', url: `${config.publicUrl}/invitations/accept?token=${token}` },
  })
}
