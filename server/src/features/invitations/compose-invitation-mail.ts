import type { Role } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { composeMail } from '../../infra/mail/compose-mail.ts'
import type { Mail } from '../../infra/mail/mailer.ts'

type Letter = { email: string; role: Role; token: string; workspace: string; inviter: string }

export function composeInvitationMail({ config }: Context, { email, role, token, workspace, inviter }: Letter): Mail {
  return composeMail({
    to: email,
    subject: `${inviter} invites you to ${workspace}`,
    paragraphs: [
      `${inviter} invites you to join the workspace “${workspace}” on Carillon as ${role}.`,
      'The link lasts seven days. If you did not expect this, you can ignore it.',
    ],
    link: { label: 'Accept the invitation', url: `${config.publicUrl}/invitations/accept?token=${token}` },
  })
}
